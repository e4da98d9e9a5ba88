# LLVM: the newest of the versions below that is there. -DLLVM_DIR=/usr/lib/llvm-19/lib/cmake/llvm takes the one that lies there.
set(SINTER_LLVM_VERSIONS 22 21 20 19 18 17 16)
set(SINTER_LLVM_TESTED 22 19 16) # what differs between them: jit/emit/llvm/compat.hpp

enable_language(C) # some releases of LLVM try out libraries by programs in C, when they are looked for

if(LLVM_DIR)
  find_package(LLVM REQUIRED CONFIG)
else()
  foreach(version IN LISTS SINTER_LLVM_VERSIONS)
    foreach(minor 1 0) # LLVM's package files ask for both numbers; releases before 18 had 0 as the second
      if(NOT LLVM_FOUND)
        find_package(LLVM ${version}.${minor} QUIET CONFIG HINTS /usr/lib/llvm-${version})
      endif()
    endforeach()
  endforeach()
endif()
if(NOT LLVM_FOUND)
  message(FATAL_ERROR "No LLVM of a supported version (${SINTER_LLVM_VERSIONS}) was found. Install one of them, as llvm-19-dev, "
                      "or say where one is by -DLLVM_DIR=.../lib/cmake/llvm.")
endif()
if(NOT LLVM_VERSION_MAJOR IN_LIST SINTER_LLVM_VERSIONS)
  message(FATAL_ERROR "LLVM ${LLVM_PACKAGE_VERSION} in ${LLVM_DIR} is not supported; these are: ${SINTER_LLVM_VERSIONS}.")
endif()
if(NOT LLVM_VERSION_MAJOR IN_LIST SINTER_LLVM_TESTED)
  message(WARNING "Sinter has not been tested with LLVM ${LLVM_PACKAGE_VERSION}, but with ${SINTER_LLVM_TESTED}.")
endif()
message(STATUS "LLVM ${LLVM_PACKAGE_VERSION}: ${LLVM_DIR}")

# What libsinter-codegen.so links: LLVM's one shared library, or those of its static ones that are needed.
if(SINTER_STATIC_LLVM)
  llvm_map_components_to_libnames(SINTER_LLVM nativecodegen nvptxcodegen nvptxdesc nvptxinfo orcjit)
  foreach(library IN LISTS SINTER_LLVM)
    if(NOT TARGET ${library})
      message(FATAL_ERROR "SINTER_STATIC_LLVM: this LLVM has no static library ${library}.")
    endif()
  endforeach()
else()
  set(SINTER_LLVM LLVM)
endif()
