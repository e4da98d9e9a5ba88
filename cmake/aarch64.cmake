# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Toolchain for aarch64 on another processor: Debian's cross compiler, what programs are linked with in the folder SINTER_SYSROOT,
# and qemu, which runs them (scripts/check_aarch64_library.sh).
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)

list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES SINTER_SYSROOT)
set(CMAKE_FIND_ROOT_PATH ${SINTER_SYSROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
foreach(kind LIBRARY INCLUDE PACKAGE)
  set(CMAKE_FIND_ROOT_PATH_MODE_${kind} ONLY)
endforeach()

# Libraries that other libraries need.
set(needed ${SINTER_SYSROOT}/usr/lib/aarch64-linux-gnu ${SINTER_SYSROOT}/usr/lib/llvm-19/lib)
list(TRANSFORM needed PREPEND "-Wl,-rpath-link,")
list(JOIN needed " " needed)
foreach(kind EXE SHARED MODULE)
  set(CMAKE_${kind}_LINKER_FLAGS_INIT "${needed}")
endforeach()
