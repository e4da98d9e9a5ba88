# Processes that share a disk cache, and the tool that looks into it.
add_executable(disk_cache_probe disk_cache/probe.cpp)
target_link_libraries(disk_cache_probe PRIVATE sinter::sinter)
add_test(NAME disk_cache COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/disk_cache/check.py
                                 $<TARGET_FILE:disk_cache_probe>)
add_test(NAME disk_cache_gpu COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/disk_cache/check.py
                                     $<TARGET_FILE:disk_cache_probe> gpu)
set_tests_properties(disk_cache_gpu PROPERTIES ENVIRONMENT SINTER_TARGET=gpu_emulated)
add_test(NAME tool COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/tool/check.py $<TARGET_FILE:sinter_tool>
                           $<TARGET_FILE:disk_cache_probe>)
# The code generator, which only what is not on disk needs; with sanitizers a process takes memory of theirs.
add_executable(codegen_probe codegen_part/probe.cpp)
target_link_libraries(codegen_probe PRIVATE sinter::sinter)
set(codegen_memory)
if(NOT SINTER_SANITIZE)
  set(codegen_memory --memory=10000)
endif()
add_test(NAME codegen_part COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/codegen_part/check.py
                                   ${codegen_memory} $<TARGET_FILE:codegen_probe> $<TARGET_FILE:sinter>
                                   $<TARGET_FILE:sinter_codegen>)
