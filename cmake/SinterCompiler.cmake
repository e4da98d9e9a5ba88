# Flags for everything built here. Users of the library get none of them.
find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # The sloppiness lets ccache keep objects that use a precompiled header.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE})
endif()
# -O3 makes the compiler's own code longer, not faster: what must be fast is generated at run time.
string(REPLACE "-O3" "-O2" CMAKE_CXX_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")
add_compile_options(-Wall -Wextra -Wpedantic)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  add_compile_options(-Wno-restrict) # g++ 12 sees overlaps in std::string that are none (GCC bug 105651)
  if(CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
    # In what it inlines, it sees members of std::variant and of llvm::SmallVector without values, and copies into vectors
    # without room (GCC bug 80635 and its kind).
    add_compile_options(-Wno-maybe-uninitialized -Wno-stringop-overflow)
  endif()
  add_compile_options(-fpch-preprocess) # what ccache needs to know of them
elseif(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  add_compile_options(-Wno-deprecated-declarations) # std::stable_sort of libstdc++ uses what C++17 deprecated
endif()
if(SINTER_WERROR)
  add_compile_options(-Werror)
endif()
if(SINTER_SANITIZE)
  add_compile_options(-fsanitize=${SINTER_SANITIZE} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${SINTER_SANITIZE})
endif()
