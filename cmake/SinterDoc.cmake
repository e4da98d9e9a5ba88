# `doc`: the reference of the public headers, in docs/html of the build tree.
find_package(Doxygen QUIET)
if(DOXYGEN_FOUND)
  add_custom_target(
    doc
    COMMAND ${CMAKE_COMMAND} -E env SINTER_SOURCE=${PROJECT_SOURCE_DIR} SINTER_DOC=${PROJECT_BINARY_DIR}/docs
            SINTER_VERSION=${PROJECT_VERSION} ${DOXYGEN_EXECUTABLE} ${PROJECT_SOURCE_DIR}/docs/Doxyfile
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
    COMMENT "Reference in ${PROJECT_BINARY_DIR}/docs/html/index.html"
    VERBATIM)
endif()
