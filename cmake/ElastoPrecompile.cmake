# Precompiled headers: two thirds of a build's time went into reading the same headers again for each file (Eigen,
# Bullet, JSON, Catch2).
#
# Every file still includes what it uses: all of it builds with -DELASTO_PRECOMPILE_HEADERS=OFF too, and so does whoever
# compiles through ccache, which keeps no file that uses a precompiled header unless it is told to be less careful.
set(default ON)
if(CMAKE_CXX_COMPILER_LAUNCHER)
  set(default OFF)
endif()
option(ELASTO_PRECOMPILE_HEADERS "Compile the large headers once and not for each file" ${default})

# CMake would make all that is precompiled a system header: our own would lose their warnings.
set(CMAKE_PCH_PROLOGUE "")

# What nearly all files of ours include, and what these headers of the C++ library include anyway.
set(ELASTO_COMMON_HEADERS
  <algorithm> <array> <cmath> <functional> <limits> <memory> <optional> <span> <string> <string_view> <utility> <vector>)

# GCC forgets the pragmas of what is precompiled, so that "text" + string in our files gets warnings that <string>
# silences (<bits/char_traits.h> does for these three). elasto_precompiled_text(<target>): it puts sentences together, and
# goes without them where headers are precompiled. Calculating layers and tests keep them.
function(elasto_precompiled_text target)
  if(ELASTO_PRECOMPILE_HEADERS)
    target_compile_options(${target} PRIVATE
      $<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds;-Wno-stringop-overflow;-Wno-stringop-overread>)
  endif()
endfunction()

# elasto_precompile(<target> <headers>...): the common headers and these, for the target and those that share them.
function(elasto_precompile target)
  if(ELASTO_PRECOMPILE_HEADERS)
    target_precompile_headers(${target} PRIVATE ${ELASTO_COMMON_HEADERS} ${ARGN})
  endif()
endfunction()

# elasto_share_precompiled(<target> <owner>): what is precompiled for the owner serves the target too, which has the same
# precision of Bullet and at least the owner's definitions. (Paths and optimisation may differ.)
function(elasto_share_precompiled target owner)
  if(ELASTO_PRECOMPILE_HEADERS)
    get_target_property(first ${owner} PRECOMPILE_HEADERS_REUSE_FROM)
    if(first)
      set(owner ${first})
    endif()
    target_precompile_headers(${target} REUSE_FROM ${owner})
  endif()
endfunction()
