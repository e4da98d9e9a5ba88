# The text of the project: its form, and that documents say what is true.
add_test(NAME format COMMAND ${PROJECT_SOURCE_DIR}/scripts/check_format.sh)
set_tests_properties(format PROPERTIES SKIP_RETURN_CODE 77)
add_test(NAME layers COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/scripts/check_layers.py)
add_test(NAME doc_links COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/scripts/check_links.py)
add_test(NAME doc_errors COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/scripts/check_errors.py)
add_test(NAME doc_environment COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/scripts/check_environment.py)
add_test(NAME doc_site COMMAND ${PROJECT_SOURCE_DIR}/scripts/docs.sh ${PROJECT_BINARY_DIR})
set_tests_properties(doc_site PROPERTIES SKIP_RETURN_CODE 77)
add_test(NAME operations_table COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/scripts/make_operations_table.py --check)
if(NOT SINTER_SANITIZE)
  # The code of README.md and docs/, compiled and run.
  add_test(NAME doc_code COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/scripts/check_doc_code.py $<TARGET_FILE:sinter> --
                                 ${CMAKE_CXX_COMPILER} -std=c++20 ${include_flags})
endif()
