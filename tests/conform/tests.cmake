# The public interface, on every target; and what the environment may say.
sinter_public_test(conform conform)
add_test(NAME conform_long COMMAND conform [long] WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(conform_long PROPERTIES LABELS long)
add_test(NAME memory_limit COMMAND conform [memory_limit],[profile] WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(memory_limit PROPERTIES ENVIRONMENT SINTER_MEMORY_LIMIT=64M)
foreach(setting SINTER_THREADS=many SINTER_LOG=all SINTER_VERIFY=yes)
  add_test(NAME refuses_${setting} COMMAND conform "a function that returns a pair")
  set_tests_properties(refuses_${setting} PROPERTIES ENVIRONMENT ${setting} PASS_REGULAR_EXPRESSION "${setting} means nothing")
endforeach()
add_test(NAME refuses_unknown_settings COMMAND conform "a function that returns a pair")
set_tests_properties(refuses_unknown_settings PROPERTIES ENVIRONMENT SINTER_CASHE=off
                     PASS_REGULAR_EXPRESSION "SINTER_CASHE in the environment: there is no such setting; SINTER_CACHE is one")
