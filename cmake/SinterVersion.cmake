# include/sinter/version.hpp is an ordinary header; it has to tell the project's version.
file(READ ${PROJECT_SOURCE_DIR}/include/sinter/version.hpp header)
foreach(part MAJOR MINOR PATCH)
  if(NOT header MATCHES "SINTER_VERSION_${part} ${PROJECT_VERSION_${part}}\n")
    message(FATAL_ERROR "include/sinter/version.hpp: SINTER_VERSION_${part} is not ${PROJECT_VERSION_${part}}")
  endif()
endforeach()
if(NOT header MATCHES "SINTER_VERSION_STRING \"${PROJECT_VERSION}\"")
  message(FATAL_ERROR "include/sinter/version.hpp: SINTER_VERSION_STRING is not ${PROJECT_VERSION}")
endif()

# Programs that were compiled with one ABI version run with all libraries of it (docs/versioning.md).
set(SINTER_ABI_VERSION ${PROJECT_VERSION_MAJOR})
if(PROJECT_VERSION_MAJOR EQUAL 0)
  set(SINTER_ABI_VERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
endif()
