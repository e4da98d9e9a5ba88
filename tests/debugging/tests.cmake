# What profilers and debuggers are told of kernels.
add_executable(debugging debugging/program.cpp)
target_link_libraries(debugging PRIVATE sinter::sinter)
add_test(NAME perf_map COMMAND debugging)
set_tests_properties(perf_map PROPERTIES ENVIRONMENT "SINTER_PROFILER=perf;SINTER_CACHE=off")
add_test(NAME gdb COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/debugging/gdb.py $<TARGET_FILE:debugging>)
set_tests_properties(gdb PROPERTIES SKIP_RETURN_CODE 77)
