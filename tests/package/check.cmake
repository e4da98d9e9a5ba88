# Configures, builds and runs the project in this folder, elsewhere, against a build tree or an install of Sinter.
# Or configures a project that contains or fetches Sinter and has targets of its own with usual names (superproject/).
# Needs BUILD (Sinter's build tree), COMPILER, MODE (build_tree, install, superproject or fetched).
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  message(STATUS "${output}")
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "failed (${result}): ${ARGN}")
  endif()
endfunction()

set(work ${BUILD}/tests/package_${MODE})
file(REMOVE_RECURSE ${work})
if(MODE STREQUAL superproject OR MODE STREQUAL fetched)
  run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/superproject -B ${work}/build -DCMAKE_CXX_COMPILER=${COMPILER}
      -DWAY=${MODE})
  # Nothing of Sinter is installed with a project that contains it.
  run(${CMAKE_COMMAND} -P ${work}/build/cmake_install.cmake)
  return()
endif()
if(MODE STREQUAL install)
  run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${work}/prefix)
  file(GLOB_RECURSE config ${work}/prefix/*/sinterConfig.cmake)
  get_filename_component(package ${config} DIRECTORY)
  find_program(pkg_config NAMES pkg-config pkgconf)
  if(pkg_config)
    file(GLOB_RECURSE pc ${work}/prefix/*/sinter.pc)
    run(${pkg_config} --validate ${pc})
    run(${CMAKE_COMMAND} -E env ${CMAKE_CURRENT_LIST_DIR}/pkg_config.sh ${pkg_config} ${pc} ${COMPILER}
        ${CMAKE_CURRENT_LIST_DIR}/app.cpp ${work}/app)
  endif()
else()
  set(package ${BUILD})
endif()
run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -B ${work}/build -DCMAKE_CXX_COMPILER=${COMPILER} -Dsinter_DIR=${package})
run(${CMAKE_COMMAND} --build ${work}/build)
run(${work}/build/app)
