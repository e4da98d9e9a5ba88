# The gpu's kernels, executed by the host; and their PTX, assembled where there is a ptxas.
add_executable(gpu_kernels gpu/kernels.cpp)
target_link_libraries(gpu_kernels PRIVATE sinter::sinter)
add_test(NAME gpu_kernels COMMAND gpu_kernels all)
sinter_conform_files(emulated_files memory scans updates sorts products loops checked_loops replay errors stopping consume interop scatter
                     random numeric)
add_test(NAME conform_gpu_emulated
         COMMAND conform -\# "${emulated_files},sums\\, minima*,operators that are*"
         WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
add_test(NAME conform_gpu_emulated_long COMMAND conform ~[long]~[memory_limit] WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(gpu_kernels conform_gpu_emulated conform_gpu_emulated_long
                     PROPERTIES ENVIRONMENT "SINTER_TARGET=gpu_emulated;SINTER_VERIFY=1")
# What is asked of the driver, where there is one of our own that executes nothing.
add_library(fake_driver SHARED gpu/fake_driver.cpp)
set_target_properties(fake_driver PROPERTIES OUTPUT_NAME cuda SOVERSION 1 LIBRARY_OUTPUT_DIRECTORY
                                             ${CMAKE_CURRENT_BINARY_DIR}/fake_driver)
add_executable(gpu_driver gpu/driver.cpp)
target_link_libraries(gpu_driver PRIVATE sinter::sinter)
add_dependencies(gpu_driver fake_driver)
add_test(NAME gpu_driver COMMAND gpu_driver)
add_test(NAME gpu_code_cache
         COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/gpu/code_cache.py $<TARGET_FILE:gpu_driver>)
set_tests_properties(gpu_driver gpu_code_cache
                     PROPERTIES ENVIRONMENT "LD_LIBRARY_PATH=${CMAKE_CURRENT_BINARY_DIR}/fake_driver;SINTER_CACHE=off")
set(assemble ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/gpu/assemble.py)
add_test(NAME gpu_assemble COMMAND ${assemble} --each --table ${CMAKE_CURRENT_SOURCE_DIR}/golden/ptx/registers.txt
                                   --llvm ${LLVM_VERSION_MAJOR} -- $<TARGET_FILE:gpu_kernels>)
add_test(NAME gpu_assemble_long COMMAND ${assemble} -- $<TARGET_FILE:conform> ~[long]~[memory_limit])
# How fast they should be on a card, predicted from their machine code.
add_test(NAME gpu_speed COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/scripts/gpu_speed.py
                                --table ${CMAKE_CURRENT_SOURCE_DIR}/golden/ptx/speed.txt --llvm ${LLVM_VERSION_MAJOR}
                                $<TARGET_FILE:gpu_kernels>)
set_tests_properties(gpu_assemble gpu_assemble_long gpu_speed PROPERTIES SKIP_RETURN_CODE 77)
set_tests_properties(conform_gpu_emulated_long gpu_assemble_long PROPERTIES LABELS long)

# The PTX itself, executed by a driver of our own that looks for the worst order: gpu/driver/.
file(GLOB test_driver_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/gpu/driver/*.cpp)
add_library(test_driver SHARED ${test_driver_sources})
set(test_driver_options -O2 -ftree-vectorize $<$<CXX_COMPILER_ID:GNU>:-fvect-cost-model=dynamic> -ffp-contract=off)
target_compile_options(test_driver PRIVATE ${test_driver_options})
set_target_properties(test_driver PROPERTIES OUTPUT_NAME cuda SOVERSION 1 LIBRARY_OUTPUT_DIRECTORY
                                             ${CMAKE_CURRENT_BINARY_DIR}/test_driver)
# One translation unit, of which only the interface is visible: an instruction then is inlined where it is executed.
set_target_properties(test_driver PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0 CXX_VISIBILITY_PRESET hidden)
add_executable(gpu_driver_cells gpu/cells.cpp)
foreach(part arithmetic floating pending races settings shortcuts tensor)
  target_sources(gpu_driver_cells PRIVATE gpu/driver/${part}.cpp)
endforeach()
target_compile_options(gpu_driver_cells PRIVATE ${test_driver_options})
add_test(NAME gpu_driver_cells COMMAND gpu_driver_cells)
# What the host frees is overwritten: a copy that comes too late reads it.
set(test_driver_environment
    "LD_LIBRARY_PATH=${CMAKE_CURRENT_BINARY_DIR}/test_driver;SINTER_CACHE=off;SINTER_TARGET=gpu"
    "GLIBC_TUNABLES=glibc.malloc.perturb=165:glibc.malloc.tcache_count=0")
function(sinter_driver_test name seed)
  add_test(NAME ${name} COMMAND ${ARGN} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(${name} PROPERTIES LABELS gpu_driver TIMEOUT 3000
                                          ENVIRONMENT "${test_driver_environment};SINTER_TEST_DRIVER_SEED=${seed}")
endfunction()
add_executable(gpu_controls gpu/controls.cpp)
target_link_libraries(gpu_controls PRIVATE sinter::sinter)
foreach(seed 1 2 3_long 4_long)
  string(REPLACE "_long" "" number ${seed})
  sinter_driver_test(gpu_driver_kernels_${seed} ${number} gpu_kernels all)
  sinter_driver_test(gpu_driver_controls_${seed} ${number} gpu_controls all)
endforeach()
# Nothing that synchronises threads can be left out of the PTX unnoticed.
set(controls ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/gpu/driver/controls.py)
sinter_driver_test(gpu_driver_drops 0 ${controls} $<TARGET_FILE:gpu_controls> sums_of_rows bins_of_floats
                   scan_of_wide_numbers scattered_values first_failure branches)
sinter_driver_test(gpu_driver_drops_long 0 ${controls} $<TARGET_FILE:gpu_controls>)
sinter_driver_test(gpu_driver_drops_kernels_long 0 ${controls} $<TARGET_FILE:gpu_kernels>)
# The suite for all targets, what is most of a card's own in every run; and random programs.
sinter_conform_files(card_files memory updates)
sinter_conform_files(more_card_files memory scans updates sorts products loops replay errors consume)
sinter_driver_test(gpu_driver_conform 11 conform -\# ${card_files})
foreach(seed 11 12)
  sinter_driver_test(gpu_driver_conform_${seed}_long ${seed} conform -\# ${more_card_files})
endforeach()
# The whole suite, a process per case: one that fails ends no other. Small pieces of the host's memory are not overwritten
# there, which the interpreter, with which results are compared, would pay for with a third of the time.
string(REPLACE "tcache_count=0" "tcache_max=128" sweep_environment "${test_driver_environment}")
set(sweep ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/gpu/driver/sweep.py)
foreach(seed 21 22 23)
  sinter_driver_test(gpu_driver_conform_${seed}_long ${seed} ${sweep} $<TARGET_FILE:conform> ~[long]~[memory_limit])
  set_tests_properties(gpu_driver_conform_${seed}_long
                       PROPERTIES TIMEOUT 14000 ENVIRONMENT "${sweep_environment};SINTER_TEST_DRIVER_SEED=${seed}")
endforeach()
sinter_driver_test(gpu_driver_random 31 random_programs)
set_property(TEST gpu_driver_random APPEND PROPERTY ENVIRONMENT "SINTER_RANDOM_COUNT=50")
# Several cards.
add_executable(gpu_cards gpu/cards.cpp)
target_link_libraries(gpu_cards PRIVATE sinter::sinter)
foreach(seed 51 52 53)
  sinter_driver_test(gpu_driver_cards_${seed} ${seed} gpu_cards)
  sinter_driver_test(gpu_driver_shared_${seed} ${seed} gpu_cards)
  set_property(TEST gpu_driver_cards_${seed} gpu_driver_shared_${seed} APPEND
               PROPERTY ENVIRONMENT "SINTER_TEST_DRIVER_DEVICES=3")
  set_property(TEST gpu_driver_shared_${seed} APPEND PROPERTY ENVIRONMENT "SINTER_SHARE=always")
endforeach()
# The same program: in every run with all shared that can be, in the long tests as prices decide, too.
set_property(TEST gpu_driver_cards_51 gpu_driver_cards_52 gpu_driver_cards_53 gpu_driver_shared_52 gpu_driver_shared_53
             PROPERTY LABELS long)
# The suite where two of them share all that can be shared.
sinter_driver_test(gpu_driver_conform_shared 13 conform -\# ${card_files})
sinter_driver_test(gpu_driver_conform_shared_long 14 ${sweep} $<TARGET_FILE:conform> ~[long]~[memory_limit])
set_property(TEST gpu_driver_conform_shared gpu_driver_conform_shared_long APPEND
             PROPERTY ENVIRONMENT "SINTER_TARGET=gpu:0,1;SINTER_TEST_DRIVER_DEVICES=2;SINTER_SHARE=always")
set_tests_properties(gpu_driver_conform_shared_long PROPERTIES TIMEOUT 14000)
# Any call of the driver may fail.
add_executable(gpu_failures gpu/failures.cpp)
target_link_libraries(gpu_failures PRIVATE sinter::sinter)
sinter_driver_test(gpu_driver_failures 41 gpu_failures)
foreach(function cuCtxPushCurrent cuStreamSynchronize cuMemcpyAsync)
  sinter_driver_test(gpu_driver_${function}_long 41 gpu_failures ${function})
endforeach()
get_property(driver_tests DIRECTORY PROPERTY TESTS)
list(FILTER driver_tests INCLUDE REGEX "^gpu_driver_.*_long$")
set_tests_properties(${driver_tests} PROPERTIES LABELS "gpu_driver;long")
