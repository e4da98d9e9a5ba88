# libsinter-lapack.so, the component sinter::lapack: linear algebra of large matrices, where LAPACK is found. Nothing else of the
# project needs it.
option(SINTER_LAPACK "Build the component for the LAPACK that is found" ON)
if(SINTER_LAPACK)
  find_package(LAPACK QUIET)
endif()
if(SINTER_LAPACK AND LAPACK_FOUND)
  add_library(sinter_lapack SHARED ${PROJECT_SOURCE_DIR}/lapack/lapack.cpp)
  add_library(sinter::lapack ALIAS sinter_lapack)
  set_target_properties(sinter_lapack PROPERTIES OUTPUT_NAME sinter-lapack EXPORT_NAME lapack VERSION ${PROJECT_VERSION}
                                                 SOVERSION ${SINTER_ABI_VERSION} CXX_VISIBILITY_PRESET hidden
                                                 VISIBILITY_INLINES_HIDDEN ON INSTALL_RPATH "$ORIGIN")
  target_link_libraries(sinter_lapack PUBLIC sinter PRIVATE ${LAPACK_LIBRARIES} fmt::fmt)
endif()
