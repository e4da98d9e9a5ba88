# sinter_add_python_module(name sources...): a Python module of C++ functions compiled with Sinter (<sinter/python.hpp>), as a
# target of that name. Needs nanobind, which is found through Python if CMake does not know it: pip install nanobind.
function(sinter_add_python_module name)
  find_package(Python 3.10 REQUIRED COMPONENTS Interpreter Development.Module)
  if(NOT COMMAND nanobind_add_module)
    execute_process(COMMAND ${Python_EXECUTABLE} -m nanobind --cmake_dir OUTPUT_VARIABLE nanobind_ROOT
                    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    find_package(nanobind CONFIG REQUIRED)
  endif()
  nanobind_add_module(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE sinter::sinter)
  set(include ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../python/include) # of a checkout; an install has all headers in one place
  if(IS_DIRECTORY ${include})
    target_include_directories(${name} PRIVATE ${include})
  endif()
endfunction()
