# How tests are made: elasto_add_test(<name> SOURCES <files> [LIBRARIES <targets>] [ELEMENTS <library>] [TIMEOUT <s>])
# builds the program elasto-test-<name> from Catch2 sources and hands each of its test cases to ctest as <name>.<case>.
# ELEMENTS is elasto or elasto-float64 where it is linked with one of them.
#
# Every test is labelled fast or slow: a case that takes more than a quarter of a second has the tag [slow], and what is
# no Catch2 program is given its label by elasto_label_tests(fast|slow <tests>).
find_package(Catch2 2.13 REQUIRED)
include(Catch)

# Tests spend their time in what they test: a fifth less to wait for them to compile.
function(_elasto_test_settings target)
  elasto_compile_settings(${target})
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

if(NOT TARGET elasto-test-main)
  add_library(elasto-test-main STATIC ${PROJECT_SOURCE_DIR}/tests/catch_main.cpp)
  target_link_libraries(elasto-test-main PUBLIC Catch2::Catch2)
  _elasto_test_settings(elasto-test-main)
endif()

# The first test precompiles for the others of its precision of Bullet, or of those without it.
function(_elasto_test_headers target elements)
  set(headers <elasto/flow.h>)
  if(elements)
    set(headers <elasto/elasto.h> <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>)
  endif()
  get_property(owner GLOBAL PROPERTY ELASTO_TEST_HEADERS_${elements})
  if(owner)
    elasto_share_precompiled(${target} ${owner})
  else()
    elasto_precompile(${target} <catch2/catch.hpp> ${headers})
    set_property(GLOBAL PROPERTY ELASTO_TEST_HEADERS_${elements} ${target})
  endif()
endfunction()

# The linker keeps the first copy of what headers define inline. That is to be the library's, as fast as users have it: with
# those of test files what calculates took an eighth longer.
function(_elasto_test_library_first target elements)
  foreach(library elasto-core ${elements})
    target_link_options(${target} PRIVATE LINKER:--whole-archive,$<TARGET_FILE:${library}>,--no-whole-archive)
    add_dependencies(${target} ${library})
  endforeach()
endfunction()

function(elasto_add_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "ELEMENTS;TIMEOUT" "SOURCES;LIBRARIES")
  add_executable(elasto-test-${name} ${arg_SOURCES})
  target_link_libraries(elasto-test-${name} PRIVATE elasto-test-main ${arg_LIBRARIES})
  _elasto_test_settings(elasto-test-${name})
  _elasto_test_headers(elasto-test-${name} "${arg_ELEMENTS}")
  _elasto_test_library_first(elasto-test-${name} "${arg_ELEMENTS}")
  set(properties PROPERTIES SKIP_REGULAR_EXPRESSION "skipped: this machine has no")
  if(arg_TIMEOUT)
    list(APPEND properties TIMEOUT ${arg_TIMEOUT})
  endif()
  # A program without slow cases is not asked for them: Catch2 would warn.
  set(slow "")
  foreach(source ${arg_SOURCES})
    file(STRINGS ${source} listed REGEX "^TEST_CASE\\(\"[^\"]*;")
    if(listed)
      message(FATAL_ERROR "${source}: the name of a test case has a semicolon, at which CMake would cut it.")
    endif()
    file(STRINGS ${source} found REGEX "\\[slow\\]")
    list(APPEND slow ${found})
  endforeach()
  if(NOT slow)
    catch_discover_tests(elasto-test-${name} TEST_PREFIX "${name}." ${properties} LABELS fast)
    return()
  endif()
  catch_discover_tests(elasto-test-${name} TEST_SPEC "~[slow]" TEST_PREFIX "${name}." ${properties} LABELS fast)
  catch_discover_tests(elasto-test-${name} TEST_SPEC "[slow]" TEST_PREFIX "${name}." ${properties} LABELS slow)
endfunction()

function(elasto_label_tests label)
  set_tests_properties(${ARGN} PROPERTIES LABELS ${label})
endfunction()
