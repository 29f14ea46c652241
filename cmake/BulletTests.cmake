# A program of two batches compiles a fifth sooner as one.
function(_elasto_larger_batches target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD_BATCH_SIZE 24)
endfunction()

# elasto_add_bullet_test(<name> ...): as elasto_add_test, once per precision of Bullet, as <name>-single and
# <name>-double, linked with the elements.
function(elasto_add_bullet_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LIBRARIES")
  if(TARGET elasto)
    elasto_add_test(${name}-single ${arg_UNPARSED_ARGUMENTS} ELEMENTS elasto
      LIBRARIES elasto::elasto ${arg_LIBRARIES})
    target_include_directories(elasto-test-${name}-single PRIVATE ${PROJECT_SOURCE_DIR}/tests/bullet)
    _elasto_larger_batches(elasto-test-${name}-single)
  endif()
  if(TARGET elasto-float64)
    elasto_add_test(${name}-double ${arg_UNPARSED_ARGUMENTS} ELEMENTS elasto-float64
      LIBRARIES elasto::elasto-float64 ${arg_LIBRARIES})
    target_include_directories(elasto-test-${name}-double PRIVATE ${PROJECT_SOURCE_DIR}/tests/bullet)
    _elasto_larger_batches(elasto-test-${name}-double)
  endif()
endfunction()
