# The Python module (python/), where Python has NumPy and pytest, and pip can install nanobind.
add_test(NAME python COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/python/tests/run.py ${PROJECT_BINARY_DIR}
                             ${CMAKE_CURRENT_BINARY_DIR}/python)
set_tests_properties(python PROPERTIES SKIP_RETURN_CODE 77)
