# The components sinter::hdf5 and sinter::netcdf, where there are these libraries.
foreach(component hdf5 netcdf)
  if(TARGET sinter_${component})
    sinter_public_test(${component} files/${component})
    target_link_libraries(${component} PRIVATE sinter::${component})
    # The same on ranks, which share all that can be shared.
    add_test(NAME ${component}_ranks COMMAND ${component})
    set_tests_properties(${component}_ranks PROPERTIES ENVIRONMENT "SINTER_RANKS=emulated:3;SINTER_SHARE=always")
  else()
    add_test(NAME ${component} COMMAND ${CMAKE_COMMAND} -E echo "skipped: CMake has found no library for sinter::${component}")
    set_tests_properties(${component} PROPERTIES SKIP_REGULAR_EXPRESSION "skipped:")
  endif()
endforeach()

# Files that ranks write and read together.
add_executable(ranks_files files/ranks/program.cpp)
target_link_libraries(ranks_files PRIVATE sinter::sinter)
set(transport none)
if(TARGET sinter_transport)
  set(transport $<TARGET_FILE:sinter_transport>)
endif()
add_test(NAME ranks_files COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/files/ranks/check.py
                                  $<TARGET_FILE:ranks_files> ${transport})
set_tests_properties(ranks_files PROPERTIES RUN_SERIAL ON)
