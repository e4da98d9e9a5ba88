# Derivatives, on every target.
sinter_public_test(derivatives derivatives)
