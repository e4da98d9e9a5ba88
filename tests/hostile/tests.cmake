# Callers with odd floating-point modes, processes that fork and end, short memory.
sinter_public_test(hostile hostile)
if(SINTER_SANITIZE MATCHES thread)
  foreach(name "threads of the library*" "a process ends while other threads*" "a process ends on another*" "a process ends while results*")
    add_test(NAME "hostile: ${name}" COMMAND hostile ${name})
  endforeach()
endif()
# Alone: in a process that has not loaded the code generator yet.
add_test(NAME hostile_end_while_loading COMMAND hostile "a process ends while other threads run and compile")
add_test(NAME hostile_long COMMAND hostile [long] WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(hostile_long PROPERTIES LABELS long)
add_test(NAME hostile_limits COMMAND hostile [limits] WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(hostile_limits PROPERTIES ENVIRONMENT "SINTER_MEMORY_LIMIT=64M;SINTER_CODE_LIMIT=2M")
if(NOT SINTER_SANITIZE)
  add_test(NAME hostile_emulated_card COMMAND hostile [emulated_card] WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(hostile_emulated_card PROPERTIES ENVIRONMENT "SINTER_TARGET=gpu_emulated;SINTER_CACHE=off")
endif()

# A program that loads the library with a plug-in, and unloads it.
add_library(plugin MODULE plugin/plugin.cpp)
target_link_libraries(plugin PRIVATE sinter::sinter)
target_compile_options(plugin PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fno-gnu-unique>) # else it is never unloaded
add_executable(plugin_host plugin/host.cpp)
find_package(Threads REQUIRED)
target_link_libraries(plugin_host PRIVATE Threads::Threads ${CMAKE_DL_LIBS})
add_test(NAME plugin_again COMMAND plugin_host $<TARGET_FILE:plugin> again)
add_test(NAME plugin_at_end COMMAND plugin_host $<TARGET_FILE:plugin> at_end)
set_tests_properties(plugin_at_end PROPERTIES PASS_REGULAR_EXPRESSION "used at the end")
