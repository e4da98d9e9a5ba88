# The layers, each a set of objects that sees only the layers before it, and the shared libraries made of them: libsinter.so,
# and libsinter-codegen.so, which has LLVM and is loaded when something is to be compiled (jit/generator/generator.hpp).

set(SINTER_LIB_LAYERS support ir front convert opt enable ad pipeline fuse lower schedule place interp run)
set(SINTER_JIT_LAYERS generator host gpu) # without LLVM
set(SINTER_CODEGEN_LAYERS emit gpu/emit codegen)

# What a target of objects needs to become part of the library.
function(sinter_objects target)
  set_target_properties(${target} PROPERTIES CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
                                             POSITION_INDEPENDENT_CODE ON)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/lib
                                               ${PROJECT_SOURCE_DIR} ${XXHASH_INCLUDE_DIR})
  target_link_libraries(${target} PRIVATE fmt::fmt Boost::headers ZLIB::ZLIB)
endfunction()

# And to see LLVM.
function(sinter_jit_objects target)
  target_include_directories(${target} SYSTEM PRIVATE ${LLVM_INCLUDE_DIRS})
  target_compile_definitions(${target} PRIVATE ${LLVM_DEFINITIONS})
  if(NOT LLVM_ENABLE_RTTI)
    target_compile_options(${target} PRIVATE -fno-rtti)
  endif()
endfunction()

# Other people's headers that most files include, precompiled. (The preset werror-clang does without: there a missing include
# shows.) CMake wants the owners to come first in the alphabet.
set(SINTER_COMMON_HEADERS <fmt/format.h> <algorithm> <cstdint> <functional> <map> <memory> <optional> <span> <string>
                          <unordered_map> <utility> <variant> <vector>)
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/sinter_common.cpp CONTENT "")
add_library(sinter_common OBJECT ${PROJECT_BINARY_DIR}/sinter_common.cpp)
sinter_objects(sinter_common)
target_precompile_headers(sinter_common PRIVATE ${SINTER_COMMON_HEADERS})
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/sinter_common_jit.cpp CONTENT "")
add_library(sinter_common_jit OBJECT ${PROJECT_BINARY_DIR}/sinter_common_jit.cpp)
sinter_objects(sinter_common_jit)
sinter_jit_objects(sinter_common_jit)
target_precompile_headers(sinter_common_jit PRIVATE ${SINTER_COMMON_HEADERS} <llvm/IR/IRBuilder.h>
                                                    <llvm/IR/Intrinsics.h> <llvm/IR/Module.h>)

# Compiles the files of each folder together: what they include, and the templates that they share, is read once. (Names without
# linkage are therefore those of a folder.)
function(sinter_unite target)
  if(NOT SINTER_UNITY)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "[.]cpp$")
  foreach(source IN LISTS sources)
    get_filename_component(folder ${source} DIRECTORY)
    file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${folder})
    string(MAKE_C_IDENTIFIER "${folder}" group)
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()

# The only object that has something destroyed at the end of the process (tests/package/static_destructors.py) is one by itself.
set_source_files_properties(${PROJECT_SOURCE_DIR}/jit/emit/llvm/llvm_use.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)

# The objects of a folder, for `list`. Further arguments: files that are left out, as a regular expression.
function(sinter_layer name folder common list)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*.cpp)
  if(ARGN)
    list(FILTER sources EXCLUDE REGEX ${ARGN})
  endif()
  if(NOT sources)
    return()
  endif()
  add_library(sinter_${name} OBJECT ${sources})
  sinter_objects(sinter_${name})
  target_precompile_headers(sinter_${name} REUSE_FROM ${common})
  sinter_unite(sinter_${name})
  list(APPEND ${list} $<TARGET_OBJECTS:sinter_${name}>)
  set(${list} ${${list}} PARENT_SCOPE)
endfunction()

set(SINTER_OBJECTS) # of libsinter.so, in the end
foreach(layer IN LISTS SINTER_LIB_LAYERS)
  sinter_layer(${layer} lib/${layer} sinter_common SINTER_OBJECTS)
  set(SINTER_OBJECTS_${layer} ${SINTER_OBJECTS}) # objects up to this layer, for its tests
endforeach()
set(codegen_file ${CMAKE_SHARED_LIBRARY_PREFIX}sinter-codegen${CMAKE_SHARED_LIBRARY_SUFFIX}.${SINTER_ABI_VERSION})
set(library_versions VERSION ${PROJECT_VERSION} SOVERSION ${SINTER_ABI_VERSION})
if(SKBUILD)
  # Python's wheels know no links: each of a library's names would be a copy of it.
  string(REPLACE .${SINTER_ABI_VERSION} "" codegen_file ${codegen_file})
  set(library_versions)
endif()
foreach(layer IN LISTS SINTER_JIT_LAYERS)
  sinter_layer(jit_${layer} jit/${layer} sinter_common SINTER_OBJECTS "jit/gpu/emit/|jit/generator/linked.cpp")
  if(TARGET sinter_jit_${layer})
    target_compile_definitions(sinter_jit_${layer} PRIVATE SINTER_LLVM_VERSION="${LLVM_PACKAGE_VERSION}"
                                                           SINTER_CODEGEN_FILE="${codegen_file}")
  endif()
endforeach()

set(SINTER_CODEGEN_OBJECTS) # of libsinter-codegen.so
foreach(layer IN LISTS SINTER_CODEGEN_LAYERS)
  string(REPLACE / _ name ${layer})
  sinter_layer(jit_${name} jit/${layer} sinter_common_jit SINTER_CODEGEN_OBJECTS)
  if(TARGET sinter_jit_${name})
    sinter_jit_objects(sinter_jit_${name})
    target_compile_definitions(sinter_jit_${name} PRIVATE $<$<BOOL:${SINTER_STATIC_LLVM}>:SINTER_STATIC_LLVM>)
  endif()
endforeach()

# What tells this pair of libraries from others: a digest of all their objects, compiled into both.
set(pair_file ${PROJECT_BINARY_DIR}/sinter_build_pair.cpp)
set(pair_objects ${PROJECT_BINARY_DIR}/sinter_build_pair.txt)
file(GENERATE OUTPUT ${pair_objects} CONTENT "$<JOIN:${SINTER_OBJECTS};${SINTER_CODEGEN_OBJECTS},\n>")
add_custom_command(
  OUTPUT ${pair_file}
  COMMAND ${CMAKE_COMMAND} -DOBJECTS=${pair_objects} -DOUTPUT=${pair_file} -P ${CMAKE_CURRENT_LIST_DIR}/build_pair.cmake
  DEPENDS ${SINTER_OBJECTS} ${SINTER_CODEGEN_OBJECTS} ${pair_objects} ${CMAKE_CURRENT_LIST_DIR}/build_pair.cmake
  VERBATIM)
add_library(sinter_build_pair OBJECT ${pair_file})
sinter_objects(sinter_build_pair)

# What object layers need from outside. Tests that link objects directly link this too.
add_library(sinter_externals INTERFACE)
target_link_libraries(sinter_externals INTERFACE fmt::fmt Boost::headers ZLIB::ZLIB ${CMAKE_DL_LIBS})

set(exported_symbols ${PROJECT_BINARY_DIR}/sinter_exported_symbols.map)
configure_file(${CMAKE_CURRENT_LIST_DIR}/exported_symbols.map.in ${exported_symbols} @ONLY)
set(sinter_link_options -Wl,--build-id=sha1 -Wl,-z,nodelete)
if(NOT SINTER_SANITIZE)
  list(APPEND sinter_link_options -Wl,--exclude-libs,ALL -Wl,--no-undefined)
endif()
add_library(sinter SHARED ${SINTER_OBJECTS} $<TARGET_OBJECTS:sinter_build_pair>)
add_library(sinter::sinter ALIAS sinter)
set_target_properties(sinter PROPERTIES ${library_versions} LINKER_LANGUAGE CXX LINK_DEPENDS ${exported_symbols})
target_compile_features(sinter PUBLIC cxx_std_20)
target_include_directories(sinter PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>)
target_link_libraries(sinter PUBLIC Boost::headers PRIVATE $<BUILD_INTERFACE:sinter_externals>)
# The build id is part of every key of the disk cache.
# Its threads may run, and what it has registered may be called, when a plug-in that linked it has been closed: it stays.
target_link_options(sinter PRIVATE ${sinter_link_options} -Wl,--version-script=${exported_symbols})

set(codegen_symbols ${CMAKE_CURRENT_LIST_DIR}/codegen_symbols.map)
add_library(sinter_codegen SHARED ${SINTER_CODEGEN_OBJECTS} $<TARGET_OBJECTS:sinter_build_pair>)
set_target_properties(
  sinter_codegen
  PROPERTIES OUTPUT_NAME sinter-codegen ${library_versions} LINKER_LANGUAGE CXX
             LINK_DEPENDS ${codegen_symbols} BUILD_RPATH "$ORIGIN" INSTALL_RPATH "$ORIGIN")
target_link_libraries(sinter_codegen PRIVATE $<TARGET_FILE:sinter> sinter_externals ${SINTER_LLVM})
add_dependencies(sinter_codegen sinter)
# Whoever links libsinter.so has the other one built, too.
add_library(sinter_with_codegen INTERFACE)
add_dependencies(sinter_with_codegen sinter_codegen)
target_link_libraries(sinter INTERFACE sinter_with_codegen)
target_link_options(sinter_codegen PRIVATE ${sinter_link_options} -Wl,--version-script=${codegen_symbols})
if(SINTER_STATIC_LLVM)
  target_link_options(sinter_codegen PRIVATE -Wl,--gc-sections -Wl,--as-needed)
endif()

# The transport of MPI: a plug-in beside libsinter.so, loaded where a launcher has started the process.
if(SINTER_MPI)
  find_package(MPI QUIET COMPONENTS CXX)
endif()
if(SINTER_MPI AND MPI_CXX_FOUND)
  set(transport openmpi)
  if(MPI_CXX_LIBRARY_VERSION_STRING MATCHES "MPICH")
    set(transport mpich)
  endif()
  add_library(sinter_transport MODULE ${PROJECT_SOURCE_DIR}/lib/transport/mpi.cpp)
  target_include_directories(sinter_transport PRIVATE ${PROJECT_SOURCE_DIR}/lib)
  target_compile_features(sinter_transport PRIVATE cxx_std_20)
  target_compile_definitions(sinter_transport PRIVATE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
  target_link_libraries(sinter_transport PRIVATE MPI::MPI_CXX)
  set_target_properties(sinter_transport PROPERTIES PREFIX "" OUTPUT_NAME transport-${transport}
                                                    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/sinter)
endif()
