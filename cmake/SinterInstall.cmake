# What an install contains, by component (runtime, development, tools, mpi, lapack, hdf5, netcdf), and the package configuration for the
# build tree and for an install.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/sinter)
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME development)
install(TARGETS sinter sinter_with_codegen EXPORT sinterTargets LIBRARY COMPONENT runtime NAMELINK_COMPONENT development)
# The code generator is no business of those who link the library, which finds it beside itself.
install(TARGETS sinter_codegen LIBRARY COMPONENT runtime NAMELINK_SKIP)
if(TARGET sinter_transport)
  install(TARGETS sinter_transport LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/sinter COMPONENT mpi)
endif()
foreach(component Lapack Hdf5 Netcdf)
  string(TOLOWER ${component} name)
  if(TARGET sinter_${name})
    # Targets of its own: an install without the component is complete.
    install(TARGETS sinter_${name} EXPORT sinter${component}Targets LIBRARY COMPONENT ${name})
    install(EXPORT sinter${component}Targets NAMESPACE sinter:: DESTINATION ${package_dir} COMPONENT ${name})
    export(EXPORT sinter${component}Targets NAMESPACE sinter:: FILE ${PROJECT_BINARY_DIR}/sinter${component}Targets.cmake)
  endif()
endforeach()
# All that has to be built for `cmake --install`; scripts/quickstart.sh builds no more of the library than this.
add_custom_target(sinter_installed DEPENDS sinter sinter_codegen sinter_tool)
foreach(component sinter_transport sinter_lapack sinter_hdf5 sinter_netcdf)
  if(TARGET ${component})
    add_dependencies(sinter_installed ${component})
  endif()
endforeach()
install(DIRECTORY include/sinter DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp" PATTERN "*.def")
install(DIRECTORY python/include/sinter DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs examples DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(EXPORT sinterTargets NAMESPACE sinter:: DESTINATION ${package_dir})
export(EXPORT sinterTargets NAMESPACE sinter:: FILE ${PROJECT_BINARY_DIR}/sinterTargets.cmake)

configure_package_config_file(cmake/sinterConfig.cmake.in ${PROJECT_BINARY_DIR}/sinterConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/sinterConfigVersion.cmake COMPATIBILITY SameMinorVersion)
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/sinterPython.cmake CONTENT "include(${PROJECT_SOURCE_DIR}/cmake/sinterPython.cmake)\n")
install(FILES ${PROJECT_BINARY_DIR}/sinterConfig.cmake ${PROJECT_BINARY_DIR}/sinterConfigVersion.cmake
              cmake/sinterPython.cmake
        DESTINATION ${package_dir})

# For builds without CMake: pkg-config --cflags --libs sinter
file(RELATIVE_PATH SINTER_PC_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(cmake/sinter.pc.in ${PROJECT_BINARY_DIR}/sinter.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/sinter.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
