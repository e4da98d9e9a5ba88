# The layers, each a set of objects that sees only the layers before it, and the one shared library made of them.

set(SINTER_LIB_LAYERS support ir front convert opt enable fuse lower interp run)
set(SINTER_JIT_LAYERS emit host gpu)

function(sinter_layer name folder)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*.cpp)
  if(NOT sources)
    return()
  endif()
  add_library(sinter_${name} OBJECT ${sources})
  set_target_properties(sinter_${name} PROPERTIES CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
                                                  POSITION_INDEPENDENT_CODE ON)
  target_include_directories(sinter_${name} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/lib
                                                    ${PROJECT_SOURCE_DIR} ${XXHASH_INCLUDE_DIR})
  target_link_libraries(sinter_${name} PRIVATE fmt::fmt TBB::tbb Boost::headers)
  list(APPEND SINTER_OBJECTS $<TARGET_OBJECTS:sinter_${name}>)
  set(SINTER_OBJECTS ${SINTER_OBJECTS} PARENT_SCOPE)
endfunction()

set(SINTER_OBJECTS) # all layers' objects, in the end
foreach(layer IN LISTS SINTER_LIB_LAYERS)
  sinter_layer(${layer} lib/${layer})
  set(SINTER_OBJECTS_${layer} ${SINTER_OBJECTS}) # objects up to this layer, for its tests
endforeach()
foreach(layer IN LISTS SINTER_JIT_LAYERS)
  sinter_layer(jit_${layer} jit/${layer})
  if(TARGET sinter_jit_${layer})
    target_include_directories(sinter_jit_${layer} SYSTEM PRIVATE ${LLVM_INCLUDE_DIRS})
    target_compile_definitions(sinter_jit_${layer} PRIVATE ${LLVM_DEFINITIONS})
    if(NOT LLVM_ENABLE_RTTI)
      target_compile_options(sinter_jit_${layer} PRIVATE -fno-rtti)
    endif()
  endif()
endforeach()

# What object layers need from outside. Tests that link objects directly link this too.
add_library(sinter_externals INTERFACE)
target_link_libraries(sinter_externals INTERFACE fmt::fmt TBB::tbb Boost::headers LLVM-19 ${CMAKE_DL_LIBS})
target_link_directories(sinter_externals INTERFACE ${LLVM_LIBRARY_DIRS})

set(exported_symbols ${CMAKE_CURRENT_LIST_DIR}/exported_symbols.map)
add_library(sinter SHARED ${SINTER_OBJECTS})
add_library(sinter::sinter ALIAS sinter)
set_target_properties(sinter PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION 0 LINKER_LANGUAGE CXX
                                        LINK_DEPENDS ${exported_symbols})
target_compile_features(sinter PUBLIC cxx_std_20)
target_include_directories(sinter PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>)
target_link_libraries(sinter PUBLIC Boost::headers PRIVATE $<BUILD_INTERFACE:sinter_externals>)
# The build id is part of every key of the disk cache.
target_link_options(sinter PRIVATE -Wl,--build-id=sha1 -Wl,--exclude-libs,ALL -Wl,--no-undefined -Wl,--version-script=${exported_symbols})
if(SINTER_SANITIZE)
  set_property(TARGET sinter PROPERTY LINK_OPTIONS "-Wl,--build-id=sha1;-Wl,--version-script=${exported_symbols}")
endif()
