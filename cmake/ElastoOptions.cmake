# Options, and the compile settings shared by all our targets.
option(ELASTO_BUILD_BULLET "Build the elements for Bullet; off leaves elasto::core for other engines" ON)
option(ELASTO_THREADS "Solve networks on several threads when asked to (needs oneTBB)" ${ELASTO_BUILD_BULLET})
option(ELASTO_BUILD_SCENE "Build elasto::scene (needs nlohmann_json and valijson)" ${ELASTO_BUILD_BULLET})
option(ELASTO_BUILD_TOOLS "Build the elasto command (needs elasto::scene, SUNDIALS, CLI11 and fmt)" ${PROJECT_IS_TOP_LEVEL})
option(ELASTO_BUILD_ROBOT "Build elasto::robot (needs elasto::scene and tinyxml2)" ${ELASTO_BUILD_TOOLS})
option(ELASTO_BUILD_GALLERY "Build elasto-gallery (needs the tools, Dear ImGui, GLFW, libepoxy and stb)" ${ELASTO_BUILD_TOOLS})
option(ELASTO_BUILD_TESTS "Build the tests" ${PROJECT_IS_TOP_LEVEL})
option(ELASTO_BUILD_BENCHMARKS "Build the benchmarks (Google Benchmark)" OFF)
option(ELASTO_BUILD_PEERS "Build the comparison with other engines (needs the tools; MuJoCo, Simbody, ODE where they are)" OFF)
option(ELASTO_SANITIZE "Build with AddressSanitizer and UndefinedBehaviorSanitizer" OFF)
option(ELASTO_SANITIZE_THREADS "Build with ThreadSanitizer" OFF)
option(ELASTO_BUILD_FUZZERS "Build libFuzzer's targets (Clang; all of our code with both sanitizers)" OFF)
option(ELASTO_WARNINGS_AS_ERRORS "Compile our own code with -Werror" ${PROJECT_IS_TOP_LEVEL})
option(ELASTO_INSTALL "Create install rules" ${PROJECT_IS_TOP_LEVEL})
option(ELASTO_UNITY "Compile files in batches: sooner for who builds once, later for who changes a file" OFF)

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
if(ELASTO_BUILD_PEERS AND NOT ELASTO_BUILD_TOOLS)
  message(FATAL_ERROR "ELASTO_BUILD_PEERS needs ELASTO_BUILD_TOOLS.")
endif()
if(ELASTO_BUILD_GALLERY AND NOT ELASTO_BUILD_TOOLS)
  message(FATAL_ERROR "ELASTO_BUILD_GALLERY needs ELASTO_BUILD_TOOLS.")
endif()
if(ELASTO_BUILD_FUZZERS AND NOT (CMAKE_CXX_COMPILER_ID MATCHES "Clang" AND ELASTO_BUILD_TESTS AND ELASTO_BUILD_TOOLS))
  message(FATAL_ERROR "ELASTO_BUILD_FUZZERS needs Clang, ELASTO_BUILD_TESTS and ELASTO_BUILD_TOOLS.")
endif()
if(ELASTO_SANITIZE_THREADS AND (ELASTO_SANITIZE OR ELASTO_BUILD_FUZZERS))
  message(FATAL_ERROR "ELASTO_SANITIZE_THREADS goes with neither ELASTO_SANITIZE nor ELASTO_BUILD_FUZZERS.")
endif()
if(BUILD_SHARED_LIBS AND ELASTO_BUILD_TESTS)
  message(FATAL_ERROR "Tests look into libraries, which shared ones do not allow: BUILD_SHARED_LIBS needs -DELASTO_BUILD_TESTS=OFF.")
endif()
if(ELASTO_THREADS)
  find_package(TBB 2021 REQUIRED)
endif()
if(NOT CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
  message(WARNING "Elasto is built and tested with GCC and Clang; ${CMAKE_CXX_COMPILER_ID} is untried.")
endif()

if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

# Debian's tools look for libraries, CMake's and pkg-config's files in lib/<architecture>, below /usr/local as below /usr, of
# which alone GNUInstallDirs says so. Who names a prefix gets lib, where other tools look.
if(PROJECT_IS_TOP_LEVEL AND CMAKE_INSTALL_PREFIX_INITIALIZED_TO_DEFAULT AND CMAKE_LIBRARY_ARCHITECTURE AND EXISTS /etc/debian_version)
  set(CMAKE_INSTALL_LIBDIR lib/${CMAKE_LIBRARY_ARCHITECTURE} CACHE PATH "Libraries, below the prefix")
endif()

# Applies to one target, never globally: whoever adds the project as a subdirectory keeps their own flags.
function(elasto_compile_settings target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  # Seen from outside is what has ELASTO_API; headers of the inside have it where another of our libraries needs them.
  set_target_properties(${target} PROPERTIES CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
    DEFINE_SYMBOL "")  # CMake's <target>_EXPORTS, which nobody asks for, would part what is precompiled
  # A shared library that needs what another one hides fails here, and not at a user's.
  get_target_property(type ${target} TYPE)
  if(type STREQUAL SHARED_LIBRARY AND NOT (ELASTO_SANITIZE OR ELASTO_SANITIZE_THREADS))
    target_link_options(${target} PRIVATE -Wl,-z,defs)
  endif()
  # Twelve files of a target in one compilation: what they declare in unnamed namespaces needs names of its own.
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${ELASTO_UNITY} UNITY_BUILD_BATCH_SIZE 12)
  # Programs too (CMake's own property makes that -fPIE for them): they share precompiled headers with libraries.
  target_compile_options(${target} PRIVATE -fPIC)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wconversion -Wshadow)
  # GCC 12 sees overlapping copies in any `"text" + string` (its bug 105651).
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
  if(ELASTO_WARNINGS_AS_ERRORS)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  # Contracted multiply-adds would make the bits depend on the instruction set.
  target_compile_options(${target} PRIVATE -ffp-contract=off)
  # Nobody replaces a function of ours when programs start, or looks at errno and floating-point flags. Bits stay as they
  # are.
  target_compile_options(${target} PRIVATE -fno-semantic-interposition -fno-math-errno -fno-trapping-math)
  if(ELASTO_BUILD_FUZZERS)
    # So that libFuzzer sees which branches an input takes.
    target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
  endif()
  if(ELASTO_SANITIZE OR ELASTO_BUILD_FUZZERS)
    target_compile_options(${target} PRIVATE -fsanitize=address,undefined -fno-omit-frame-pointer)
    # With them GCC 12 sees uninitialized members in its own <regex> and <functional>.
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
    target_link_options(${target} PUBLIC -fsanitize=address,undefined)
  elseif(ELASTO_SANITIZE_THREADS)
    target_compile_options(${target} PRIVATE -fsanitize=thread -fno-omit-frame-pointer)
    target_link_options(${target} PUBLIC -fsanitize=thread)
  endif()
endfunction()
