# The library as a file, and projects that use it.
add_test(NAME exported_symbols
         COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/package/exported_symbols.py $<TARGET_FILE:sinter>
                 ${SINTER_ABI_VERSION})
add_test(NAME static_destructors
         COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/package/static_destructors.py ${SINTER_OBJECTS}
                 ${SINTER_CODEGEN_OBJECTS}
         COMMAND_EXPAND_LISTS)
add_test(NAME package_build_tree COMMAND ${CMAKE_COMMAND} -DBUILD=${PROJECT_BINARY_DIR} -DCOMPILER=${CMAKE_CXX_COMPILER}
                                         -DMODE=build_tree -P ${CMAKE_CURRENT_SOURCE_DIR}/package/check.cmake)
add_test(NAME package_install COMMAND ${CMAKE_COMMAND} -DBUILD=${PROJECT_BINARY_DIR} -DCOMPILER=${CMAKE_CXX_COMPILER}
                                      -DMODE=install -P ${CMAKE_CURRENT_SOURCE_DIR}/package/check.cmake)
if(CMAKE_GENERATOR STREQUAL "Ninja")
  add_test(NAME package_installed_is_built
           COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/package/check_installed.py ${PROJECT_BINARY_DIR})
endif()
add_test(NAME package_wheel COMMAND ${CMAKE_COMMAND} -DBUILD=${PROJECT_BINARY_DIR} -DCOMPILER=${CMAKE_CXX_COMPILER} -DLLVM=${LLVM_DIR}
                                    -P ${CMAKE_CURRENT_SOURCE_DIR}/package/wheel.cmake)
add_test(NAME package_fetched
         COMMAND ${CMAKE_COMMAND} -DBUILD=${PROJECT_BINARY_DIR} -DCOMPILER=${CMAKE_CXX_COMPILER} -DMODE=fetched -P
                 ${CMAKE_CURRENT_SOURCE_DIR}/package/check.cmake)
add_test(NAME package_superproject
         COMMAND ${CMAKE_COMMAND} -DBUILD=${PROJECT_BINARY_DIR} -DCOMPILER=${CMAKE_CXX_COMPILER} -DMODE=superproject -P
                 ${CMAKE_CURRENT_SOURCE_DIR}/package/check.cmake)
# The projects are built by what builds this one: there may be no make.
set_tests_properties(package_build_tree package_install package_wheel package_fetched package_superproject
                     PROPERTIES ENVIRONMENT "SINTER_CACHE=off;CMAKE_GENERATOR=${CMAKE_GENERATOR}")
