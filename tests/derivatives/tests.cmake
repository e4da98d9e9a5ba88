# Derivatives, on every target.
sinter_public_test(derivatives derivatives)
foreach(rows 1 3 64)
  add_test(NAME swept_tiles_${rows} COMMAND derivatives [swept] WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(swept_tiles_${rows} PROPERTIES ENVIRONMENT SINTER_STEP_TILES=${rows})
endforeach()
set_tests_properties(swept_tiles_1 swept_tiles_64 PROPERTIES LABELS long)
