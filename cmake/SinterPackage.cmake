# Debian packages, by `cpack` in a build tree that is configured for /usr (scripts/package.sh): the library, what programs are
# compiled with, the tool. The library's package is named after its ABI, as libsinter.so is (docs/versioning.md).
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_VENDOR "The Sinter authors")
set(CPACK_PACKAGE_CONTACT "The Sinter authors <sinter@localhost>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL runtime development tools)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS OFF)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR})

set(library libsinter${SINTER_ABI_VERSION})
set(same_version "${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}")
set(description "An embedded C++20 array language: combinators over arrays are fused and compiled with LLVM at run time, for the
 vectors and threads of the host or for a GPU.")

set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME ${library})
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_RUNTIME_DESCRIPTION "The library, and its code generator.\n${description}")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libsinter-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "${library} (= ${same_version}), libboost-dev")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SUGGESTS "cmake, pkgconf")
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "Headers, package files, documentation and examples.\n${description}")

set(CPACK_DEBIAN_TOOLS_PACKAGE_NAME sinter-tools)
set(CPACK_DEBIAN_TOOLS_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_TOOLS_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_TOOLS_PACKAGE_DEPENDS "${library} (= ${same_version})")
set(CPACK_DEBIAN_TOOLS_DESCRIPTION "The command line tool: cache, diagnosis, calibration.\n${description}")

include(CPack)
