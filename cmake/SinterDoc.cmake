# `sinter_doc`: the documentation, in site/ of the build tree. It says what is missing if it cannot be built.
add_custom_target(
  sinter_doc
  COMMAND ${PROJECT_SOURCE_DIR}/scripts/docs.sh ${PROJECT_BINARY_DIR}
  COMMENT "Documentation in ${PROJECT_BINARY_DIR}/site/index.html"
  VERBATIM)
