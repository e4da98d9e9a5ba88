# Components for the file formats of others, each a library of its own: libsinter-hdf5.so (sinter::hdf5), libsinter-netcdf.so
# (sinter::netcdf). Nothing else of the project needs them.
option(SINTER_HDF5 "Build the component for the HDF5 that is found" ON)
option(SINTER_NETCDF "Build the component for the NetCDF that is found" ON)

# The component of the folder files/<name>, with the foreign library's targets, folders and flags.
function(sinter_file_component name include_dirs libraries)
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/files/*.cpp ${PROJECT_SOURCE_DIR}/files/${name}/*.cpp)
  add_library(sinter_${name} SHARED ${sources})
  add_library(sinter::${name} ALIAS sinter_${name})
  set_target_properties(sinter_${name} PROPERTIES OUTPUT_NAME sinter-${name} EXPORT_NAME ${name} VERSION ${PROJECT_VERSION}
                                                  SOVERSION ${SINTER_ABI_VERSION} CXX_VISIBILITY_PRESET hidden
                                                  VISIBILITY_INLINES_HIDDEN ON INSTALL_RPATH "$ORIGIN")
  target_include_directories(sinter_${name} SYSTEM PRIVATE ${include_dirs})
  target_link_libraries(sinter_${name} PUBLIC sinter PRIVATE ${libraries} fmt::fmt)
endfunction()

if(SINTER_HDF5)
  enable_language(C) # FindHDF5 asks the compiler of C
  find_package(HDF5 QUIET COMPONENTS C)
  if(HDF5_FOUND AND HDF5_IS_PARALLEL)
    message(STATUS "The HDF5 that is found is built for MPI; sinter::hdf5 needs a serial one")
  elseif(HDF5_FOUND)
    sinter_file_component(hdf5 "${HDF5_C_INCLUDE_DIRS}" "${HDF5_C_LIBRARIES}")
    target_compile_definitions(sinter_hdf5 PRIVATE H5_USE_110_API) # which later releases have too
  else()
    message(STATUS "No HDF5: the component sinter::hdf5 and its tests are left out")
  endif()
endif()

if(SINTER_NETCDF)
  find_path(NETCDF_INCLUDE_DIR netcdf.h)
  find_library(NETCDF_LIBRARY netcdf)
  if(NETCDF_INCLUDE_DIR AND NETCDF_LIBRARY)
    sinter_file_component(netcdf "${NETCDF_INCLUDE_DIR}" "${NETCDF_LIBRARY}")
  else()
    message(STATUS "No NetCDF: the component sinter::netcdf and its tests are left out")
  endif()
endif()
