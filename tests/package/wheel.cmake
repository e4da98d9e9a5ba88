# Lists what Python's wheel contains of the libraries: each of them once, and no links, which a wheel cannot hold. Configures as
# scikit-build-core does, and installs the libraries of BUILD (Sinter's build tree) in place of those that would be built.
# Needs also COMPILER, LLVM (its package folder).
set(work ${BUILD}/tests/package_wheel)
file(REMOVE_RECURSE ${work})
set(options -DSKBUILD=2 -DCMAKE_INSTALL_LIBDIR=lib)
foreach(part TESTS BENCH EXAMPLES MPI LAPACK HDF5 NETCDF)
  list(APPEND options -DSINTER_${part}=OFF)
endforeach()
execute_process(COMMAND ${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/../.. -B ${work}/build -DCMAKE_CXX_COMPILER=${COMPILER}
                        -DLLVM_DIR=${LLVM} ${options} OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
foreach(library sinter sinter-codegen)
  file(REAL_PATH ${BUILD}/lib${library}.so file)
  configure_file(${file} ${work}/build/lib${library}.so COPYONLY)
endforeach()
foreach(component runtime development)
  execute_process(COMMAND ${CMAKE_COMMAND} --install ${work}/build --prefix ${work}/wheel --component ${component} OUTPUT_QUIET
                          COMMAND_ERROR_IS_FATAL ANY)
endforeach()

file(GLOB libraries RELATIVE ${work}/wheel/lib ${work}/wheel/lib/*.so*)
if(NOT libraries STREQUAL "libsinter-codegen.so;libsinter.so")
  message(FATAL_ERROR "libraries in the wheel: ${libraries}")
endif()
foreach(library IN LISTS libraries)
  if(IS_SYMLINK ${work}/wheel/lib/${library})
    message(FATAL_ERROR "a link in the wheel: ${library}")
  endif()
endforeach()
file(GLOB targets ${work}/wheel/lib/cmake/sinter/sinterTargets-*.cmake)
file(STRINGS ${targets} location REGEX "lib/libsinter\\.so\"")
if(NOT location)
  message(FATAL_ERROR "the wheel's CMake package does not name its library")
endif()
