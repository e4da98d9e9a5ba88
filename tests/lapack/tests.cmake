# The component sinter::lapack, where there is a LAPACK.
if(TARGET sinter_lapack)
  sinter_public_test(lapack lapack)
  target_link_libraries(lapack PRIVATE sinter::lapack)
endif()
