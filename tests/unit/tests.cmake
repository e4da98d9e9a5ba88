# Functions of one layer, and of what stands beside the layers.
# A test binary of `sources` that sees the library's insides, linked with `objects`.
function(sinter_unit_test name objects)
  add_executable(${name} ${ARGN} ${objects})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/lib ${PROJECT_SOURCE_DIR}
                                             ${XXHASH_INCLUDE_DIR})
  target_link_libraries(${name} PRIVATE test_main fmt::fmt Boost::headers ZLIB::ZLIB)
  target_precompile_headers(${name} REUSE_FROM catch)
  add_test(NAME ${name} COMMAND ${name} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
endfunction()

foreach(layer IN LISTS SINTER_LIB_LAYERS)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/${layer}/*.cpp)
  set(objects ${SINTER_OBJECTS_${layer}})
  if(layer STREQUAL enable)
    # What a program means, before and after; and after optimisation.
    list(APPEND objects $<TARGET_OBJECTS:sinter_ad> $<TARGET_OBJECTS:sinter_pipeline> $<TARGET_OBJECTS:sinter_interp>)
  endif()
  if(sources)
    sinter_unit_test(unit_${layer} "${objects}" ${sources})
  endif()
endforeach()
# The oracle of the fusion solver. Its test says so where it is missing.
find_path(CBC_INCLUDE_DIR coin/Cbc_C_Interface.h)
find_library(CBC_LIBRARY CbcSolver)
if(CBC_INCLUDE_DIR AND CBC_LIBRARY)
  target_compile_definitions(unit_fuse PRIVATE SINTER_HAVE_CBC)
  target_include_directories(unit_fuse SYSTEM PRIVATE ${CBC_INCLUDE_DIR})
  target_link_libraries(unit_fuse PRIVATE ${CBC_LIBRARY})
endif()
add_test(NAME unit_fuse_long COMMAND unit_fuse [long] WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(unit_fuse_long PROPERTIES LABELS long)
# Folders that need more than their layer: math against MPFR, generated code against the interpreter.
file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/unit_jit/*.cpp)
if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/unit_jit/CMakeLists.txt)
  add_subdirectory(unit_jit)
elseif(sources)
  # Both parts in one program: one calls the other (jit/generator/linked.cpp) instead of loading it.
  set(objects ${SINTER_OBJECTS} ${SINTER_CODEGEN_OBJECTS} $<TARGET_OBJECTS:sinter_build_pair>)
  list(REMOVE_ITEM objects $<TARGET_OBJECTS:sinter_jit_generator>)
  list(APPEND sources ${PROJECT_SOURCE_DIR}/jit/generator/linked.cpp)
  sinter_unit_test(unit_jit "${objects}" ${sources})
  target_link_libraries(unit_jit PRIVATE sinter_externals ${SINTER_LLVM})
  target_compile_definitions(unit_jit PRIVATE SINTER_LLVM=${LLVM_VERSION_MAJOR})
  set_tests_properties(unit_jit PROPERTIES ENVIRONMENT SINTER_VERIFY=1)
  # For scripts/check_aarch64.sh, which runs it.
  add_executable(aarch64_compile EXCLUDE_FROM_ALL ${CMAKE_CURRENT_SOURCE_DIR}/aarch64/compile.cpp
                                                  ${PROJECT_SOURCE_DIR}/jit/generator/linked.cpp ${objects})
  target_include_directories(aarch64_compile PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/lib
                                                     ${PROJECT_SOURCE_DIR})
  target_include_directories(aarch64_compile SYSTEM PRIVATE ${LLVM_INCLUDE_DIRS})
  target_link_libraries(aarch64_compile PRIVATE catch_headers fmt::fmt Boost::headers ZLIB::ZLIB sinter_externals ${SINTER_LLVM})
endif()
if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/unit_math/CMakeLists.txt)
  add_subdirectory(unit_math)
endif()
