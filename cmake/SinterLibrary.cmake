# The layers, each a set of objects that sees only the layers before it, and the one shared library made of them.

set(SINTER_LIB_LAYERS support ir front convert opt enable pipeline fuse lower schedule interp run)
set(SINTER_JIT_LAYERS emit host gpu)

# What a target of objects needs to become part of the library.
function(sinter_objects target)
  set_target_properties(${target} PROPERTIES CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
                                             POSITION_INDEPENDENT_CODE ON)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/lib
                                               ${PROJECT_SOURCE_DIR} ${XXHASH_INCLUDE_DIR})
  target_link_libraries(${target} PRIVATE fmt::fmt TBB::tbb Boost::headers)
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

function(sinter_layer name folder common)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*.cpp)
  if(NOT sources)
    return()
  endif()
  add_library(sinter_${name} OBJECT ${sources})
  sinter_objects(sinter_${name})
  target_precompile_headers(sinter_${name} REUSE_FROM ${common})
  list(APPEND SINTER_OBJECTS $<TARGET_OBJECTS:sinter_${name}>)
  set(SINTER_OBJECTS ${SINTER_OBJECTS} PARENT_SCOPE)
endfunction()

set(SINTER_OBJECTS) # all layers' objects, in the end
foreach(layer IN LISTS SINTER_LIB_LAYERS)
  sinter_layer(${layer} lib/${layer} sinter_common)
  set(SINTER_OBJECTS_${layer} ${SINTER_OBJECTS}) # objects up to this layer, for its tests
endforeach()
foreach(layer IN LISTS SINTER_JIT_LAYERS)
  sinter_layer(jit_${layer} jit/${layer} sinter_common_jit)
  if(TARGET sinter_jit_${layer})
    sinter_jit_objects(sinter_jit_${layer})
  endif()
endforeach()

# What object layers need from outside. Tests that link objects directly link this too.
add_library(sinter_externals INTERFACE)
target_link_libraries(sinter_externals INTERFACE fmt::fmt TBB::tbb Boost::headers LLVM ${CMAKE_DL_LIBS})

set(exported_symbols ${CMAKE_CURRENT_LIST_DIR}/exported_symbols.map)
add_library(sinter SHARED ${SINTER_OBJECTS})
add_library(sinter::sinter ALIAS sinter)
set_target_properties(sinter PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${SINTER_ABI_VERSION} LINKER_LANGUAGE CXX
                                        LINK_DEPENDS ${exported_symbols})
target_compile_features(sinter PUBLIC cxx_std_20)
target_include_directories(sinter PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>)
target_link_libraries(sinter PUBLIC Boost::headers PRIVATE $<BUILD_INTERFACE:sinter_externals>)
# The build id is part of every key of the disk cache.
# Its threads may run, and what it has registered may be called, when a plug-in that linked it has been closed: it stays.
target_link_options(sinter PRIVATE -Wl,--build-id=sha1 -Wl,-z,nodelete -Wl,--exclude-libs,ALL -Wl,--no-undefined -Wl,--version-script=${exported_symbols})
if(SINTER_SANITIZE)
  set_property(TARGET sinter PROPERTY LINK_OPTIONS "-Wl,--build-id=sha1;-Wl,-z,nodelete;-Wl,--version-script=${exported_symbols}")
endif()
