# The tags of files of tests/conform, each of which there has to be: Catch2 says nothing of one that selects no test.
function(sinter_conform_files result)
  set(tags "")
  foreach(name ${ARGN})
    file(GLOB_RECURSE found ${CMAKE_CURRENT_SOURCE_DIR}/conform/*/${name}.cpp)
    if(NOT found)
      message(FATAL_ERROR "A list of tests names tests/conform/*/${name}.cpp, which is not there")
    endif()
    list(APPEND tags "[#${name}]")
  endforeach()
  list(JOIN tags "," tags)
  set(${result} "${tags}" PARENT_SCOPE)
endfunction()
# The public interface, on every target; and what the environment may say. Quick code everywhere; better code, with which
# the whole takes half as long again, for some forms of kernels, and for everything in the long test. random_programs has
# better code too.
sinter_public_test(conform conform)
set_tests_properties(conform PROPERTIES ENVIRONMENT "SINTER_CODE=quick;SINTER_VERIFY=1")
sinter_conform_files(better_code_files contraction lane_loops rows scan)
add_test(NAME conform_better_code COMMAND conform -\# ${better_code_files} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
add_test(NAME conform_better_code_long COMMAND conform ~[long]~[memory_limit] WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(conform_better_code conform_better_code_long
                     PROPERTIES ENVIRONMENT "SINTER_CODE=full;SINTER_VERIFY=1")
add_test(NAME conform_long COMMAND conform [long] WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(conform_long conform_better_code_long PROPERTIES LABELS long)
add_test(NAME memory_limit COMMAND conform [memory_limit],[profile] WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(memory_limit PROPERTIES ENVIRONMENT SINTER_MEMORY_LIMIT=64M)
foreach(rows 1 3 64)
  add_test(NAME step_tiles_${rows} COMMAND conform [time_steps],[cascades] WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(step_tiles_${rows} PROPERTIES ENVIRONMENT SINTER_STEP_TILES=${rows})
endforeach()
set_tests_properties(step_tiles_1 PROPERTIES LABELS long)
add_test(NAME overwritten_in_step_tiles COMMAND conform [overwritten_states] WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(overwritten_in_step_tiles PROPERTIES ENVIRONMENT SINTER_STEP_TILES=64)
add_test(NAME loop_kernels_always COMMAND conform
         "[loop_kernels],[loop_steps],[loops],[branches],[changing_states],[loops_that_fill],[loops_that_fold],[loops_over_rows],[blocked_steps]"
         WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(loop_kernels_always PROPERTIES ENVIRONMENT "SINTER_LOOP_KERNELS=always;SINTER_VERIFY=1")
foreach(setting SINTER_THREADS=many SINTER_LOG=all SINTER_LOG=info,debug SINTER_VERIFY=yes SINTER_PROFILER=gdb
                SINTER_DEBUGGER=perf)
  add_test(NAME refuses_${setting} COMMAND conform "a function that returns a pair")
  set_tests_properties(refuses_${setting} PROPERTIES ENVIRONMENT ${setting} PASS_REGULAR_EXPRESSION "${setting} means nothing: write [a0egp]")
endforeach()
add_test(NAME refuses_unknown_settings COMMAND conform "a function that returns a pair")
set_tests_properties(refuses_unknown_settings PROPERTIES ENVIRONMENT SINTER_CASHE=off
                     PASS_REGULAR_EXPRESSION "SINTER_CASHE in the environment: there is no such setting; SINTER_CACHE is one")
# SINTER_LOG: what a level contains, and what it does not.
function(log_test level said unsaid test)
  add_test(NAME log_${level} COMMAND conform ${test} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(log_${level} PROPERTIES ENVIRONMENT "SINTER_LOG=${level};SINTER_CACHE=off"
                       PASS_REGULAR_EXPRESSION "${said}" FAIL_REGULAR_EXPRESSION "${unsaid}")
endfunction()
set(failing "an index out of range names*")
log_test(error "sinter error: gather: index 5 is out of range for axis 0 of extent 5 [(].*errors.cpp:[0-9]+[)]"
         "sinter (warning|info|debug)|launch " ${failing})
log_test(info "sinter info: planned a program of .*sinter info: generated the code of " "sinter debug|launch " ${failing})
log_test(debug "sinter debug: run took [0-9.]+ us [(].*errors.cpp:[0-9]+[)]" "launch " ${failing})
log_test(launch "launch " "sinter (error|warning|info|debug)" ${failing})
