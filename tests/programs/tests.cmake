# Every operation, every example of the papers, the programs of examples/, and random ones.
sinter_public_test(operations operations)
target_compile_options(operations PRIVATE -Wshadow -Wconversion) # what users may ask of our headers
sinter_public_test(papers papers)
sinter_public_test(random_programs random)
# Every program, partition and kernel passes its verifier, under every strategy. Where SINTER_CODE
# is full, better code is tested; most other tests end before there is any.
sinter_public_test(programs programs)
set_tests_properties(operations papers programs PROPERTIES ENVIRONMENT SINTER_VERIFY=1)
set_tests_properties(random_programs PROPERTIES ENVIRONMENT "SINTER_CODE=full;SINTER_VERIFY=1;SINTER_MEMORY_LIMIT=64M")
add_test(NAME random_programs_long COMMAND random_programs [long] WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(random_programs_long PROPERTIES LABELS long)
add_test(NAME random_programs_in_loop_kernels COMMAND random_programs "~derivatives*" WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(random_programs_in_loop_kernels PROPERTIES ENVIRONMENT
                     "SINTER_LOOP_KERNELS=always;SINTER_VERIFY=1;SINTER_RANDOM_COUNT=100;SINTER_RANDOM_SEED=7000")
add_test(NAME random_programs_in_step_tiles COMMAND random_programs "~derivatives*" WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(random_programs_in_step_tiles PROPERTIES ENVIRONMENT
                     "SINTER_STEP_TILES=3;SINTER_RANDOM_COUNT=100;SINTER_RANDOM_SEED=5000")
target_include_directories(programs PRIVATE ${PROJECT_SOURCE_DIR}/examples)
