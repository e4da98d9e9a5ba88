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
