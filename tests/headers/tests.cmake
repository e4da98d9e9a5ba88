# What users' compilers see: what must not compile, and each header alone.
file(GLOB cases CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/compile_fail/*.cpp)
foreach(case IN LISTS cases)
  get_filename_component(name ${case} NAME_WE)
  add_test(NAME compile_fail_${name}
           COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/compile_fail/check.py ${case} -- ${CMAKE_CXX_COMPILER}
                   -std=c++20 ${include_flags})
endforeach()
foreach(check alone weight)
  add_test(NAME headers_${check}
           COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/headers/${check}.py ${PROJECT_SOURCE_DIR}/include --
                   ${CMAKE_CXX_COMPILER} -std=c++20 ${include_flags})
endforeach()
set_tests_properties(headers_weight PROPERTIES RUN_SERIAL ON) # it measures time
# Our compiler's library has no <mdspan>; another's may.
add_test(NAME mdspan COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/mdspan/run.py
                             ${CMAKE_CURRENT_SOURCE_DIR}/mdspan/mdspan.cpp -- ${include_flags})
set_tests_properties(mdspan PROPERTIES SKIP_RETURN_CODE 77)
