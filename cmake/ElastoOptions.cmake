# Options, and the compile settings shared by all our targets.
option(ELASTO_BUILD_BULLET "Build the elements for Bullet; off leaves elasto::core for other engines" ON)
option(ELASTO_BUILD_SCENE "Build elasto::scene (needs nlohmann_json and valijson)" ${ELASTO_BUILD_BULLET})
option(ELASTO_BUILD_TOOLS "Build the elasto command (needs elasto::scene, SUNDIALS, CLI11 and fmt)" ${PROJECT_IS_TOP_LEVEL})
option(ELASTO_BUILD_ROBOT "Build elasto::robot (needs elasto::scene, urdfdom and tinyxml2)" ${ELASTO_BUILD_TOOLS})
option(ELASTO_BUILD_GALLERY "Build elasto-gallery (needs the tools, Dear ImGui, GLFW, libepoxy and stb)" ${ELASTO_BUILD_TOOLS})
option(ELASTO_BUILD_TESTS "Build the tests" ${PROJECT_IS_TOP_LEVEL})
option(ELASTO_BUILD_BENCHMARKS "Build the benchmarks (Google Benchmark)" OFF)
option(ELASTO_SANITIZE "Build with AddressSanitizer and UndefinedBehaviorSanitizer" OFF)
option(ELASTO_WARNINGS_AS_ERRORS "Compile our own code with -Werror" ${PROJECT_IS_TOP_LEVEL})
option(ELASTO_INSTALL "Create install rules" ${PROJECT_IS_TOP_LEVEL})

if(ELASTO_BUILD_SCENE AND NOT ELASTO_BUILD_BULLET)
  message(FATAL_ERROR "ELASTO_BUILD_SCENE needs ELASTO_BUILD_BULLET.")
endif()
if(ELASTO_BUILD_ROBOT AND NOT ELASTO_BUILD_SCENE)
  message(FATAL_ERROR "ELASTO_BUILD_ROBOT needs ELASTO_BUILD_SCENE.")
endif()
if(ELASTO_BUILD_TOOLS AND NOT ELASTO_BUILD_ROBOT)
  message(FATAL_ERROR "ELASTO_BUILD_TOOLS needs ELASTO_BUILD_ROBOT.")
endif()
if((ELASTO_BUILD_TOOLS OR ELASTO_BUILD_TESTS) AND NOT ELASTO_BUILD_SCENE)
  message(FATAL_ERROR "ELASTO_BUILD_TOOLS and ELASTO_BUILD_TESTS need ELASTO_BUILD_SCENE.")
endif()
if(ELASTO_BUILD_GALLERY AND NOT ELASTO_BUILD_TOOLS)
  message(FATAL_ERROR "ELASTO_BUILD_GALLERY needs ELASTO_BUILD_TOOLS.")
endif()
if(NOT CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
  message(WARNING "Elasto is built and tested with GCC and Clang; ${CMAKE_CXX_COMPILER_ID} is untried.")
endif()

if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

# Applies to one target, never globally: whoever adds the project as a subdirectory keeps their own flags.
function(elasto_compile_settings target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_target_properties(${target} PROPERTIES
    CXX_EXTENSIONS OFF
    POSITION_INDEPENDENT_CODE ON
    VISIBILITY_INLINES_HIDDEN ON)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wconversion -Wshadow)
  # GCC 12 sees overlapping copies in any `"text" + string` (its bug 105651).
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
  if(ELASTO_WARNINGS_AS_ERRORS)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  # Contracted multiply-adds would make the bits depend on the instruction set.
  target_compile_options(${target} PRIVATE -ffp-contract=off)
  if(ELASTO_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=address,undefined -fno-omit-frame-pointer)
    # With them GCC 12 sees uninitialized members in its own <regex> and <functional>.
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
    target_link_options(${target} PUBLIC -fsanitize=address,undefined)
  endif()
endfunction()
