# Programs of several processes: the same output for any number of them.
add_executable(ranks_program ranks/program.cpp)
target_link_libraries(ranks_program PRIVATE sinter::sinter)
add_executable(ranks_apart ranks/apart.cpp)
target_link_libraries(ranks_apart PRIVATE sinter::sinter)
add_executable(ranks_work ranks/work.cpp)
target_link_libraries(ranks_work PRIVATE sinter::sinter)
add_executable(ranks_bytes ranks/bytes.cpp)
target_link_libraries(ranks_bytes PRIVATE sinter::sinter)
add_executable(ranks_layouts ranks/layouts.cpp)
target_link_libraries(ranks_layouts PRIVATE sinter::sinter)
add_executable(ranks_faults ranks/faults.cpp)
target_link_libraries(ranks_faults PRIVATE sinter::sinter)
if(NOT SINTER_SANITIZE)
  add_library(ranks_closed MODULE ranks/closed.cpp)
  target_compile_features(ranks_closed PRIVATE cxx_std_20)
  target_link_libraries(ranks_closed PRIVATE ${CMAKE_DL_LIBS})
  set(closed $<TARGET_FILE:ranks_closed>)
endif()
add_library(ranks_mirror MODULE ranks/mirror.cpp)
target_include_directories(ranks_mirror PRIVATE ${PROJECT_SOURCE_DIR}/lib)
target_compile_features(ranks_mirror PRIVATE cxx_std_20)
set(transport none)
if(TARGET sinter_transport)
  set(transport $<TARGET_FILE:sinter_transport>)
endif()
add_test(NAME ranks COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/ranks/check.py $<TARGET_FILE:ranks_program>
                            $<TARGET_FILE:ranks_apart> $<TARGET_FILE:ranks_work> ${transport}
                            $<TARGET_FILE:ranks_bytes> $<TARGET_FILE:ranks_layouts> ${closed})
add_test(NAME ranks_faults COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/ranks/faults.py
                                   $<TARGET_FILE:ranks_faults> ${transport}
                                   $<TARGET_FILE:ranks_mirror>)
set_tests_properties(ranks ranks_faults PROPERTIES RUN_SERIAL ON)
add_executable(ranks_restart ranks/restart.cpp)
target_link_libraries(ranks_restart PRIVATE sinter::sinter)
target_include_directories(ranks_restart PRIVATE ${PROJECT_SOURCE_DIR}/examples)
add_test(NAME ranks_restart COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/ranks/restart.py
                                    $<TARGET_FILE:ranks_restart> ${transport})
set_tests_properties(ranks_restart PROPERTIES RUN_SERIAL ON LABELS long)

# Loops whose slices shrink to nothing.
add_test(NAME ranks_overwrites COMMAND conform [overwrites] WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(ranks_overwrites PROPERTIES ENVIRONMENT "SINTER_RANKS=emulated:2;SINTER_SHARE=always;SINTER_THREADS=1")

# 300 random programs and the suites for all targets, of which everything that can be shared is. Some cases ask what one
# process does: for its files, its memory, and which kernels it launches.
foreach(count 2 3 7)
  add_test(NAME ranks_random_${count} COMMAND random_programs)
  add_test(NAME ranks_conform_${count} COMMAND conform ~[long]~[memory_limit]~[one_process] WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  add_test(NAME ranks_operations_${count} COMMAND operations)
  set_tests_properties(
    ranks_random_${count} ranks_conform_${count} ranks_operations_${count}
    PROPERTIES LABELS long RUN_SERIAL ON TIMEOUT 3600
               ENVIRONMENT "SINTER_RANKS=emulated:${count};SINTER_SHARE=always;SINTER_THREADS=1")
endforeach()

# The transport of MPI under a part of the suite.
add_test(NAME ranks_mpi COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/ranks/under_mpi.py $<TARGET_FILE:conform>
                                $<TARGET_FILE:random_programs> ${transport}
                        WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(ranks_mpi PROPERTIES LABELS long RUN_SERIAL ON SKIP_RETURN_CODE 77 TIMEOUT 14400)

find_program(BASH_PROGRAM bash)
if(BASH_PROGRAM)
  add_test(NAME slurm_script COMMAND ${BASH_PROGRAM} -n ${PROJECT_SOURCE_DIR}/examples/plate_on_ranks.slurm)
endif()
