# Bullet as the imported targets elasto::bullet (single precision) and elasto::bullet-float64.
#
# Taken from, in this order:
# 1. the target named in ELASTO_BULLET_TARGET or ELASTO_BULLET_FLOAT64_TARGET, which must carry include path and libraries,
# 2. Bullet's own build in the same project (target BulletDynamics, of the precision of its USE_DOUBLE_PRECISION),
# 3. pkg-config (modules bullet and bullet-float64).
#
# Include paths are SYSTEM: Bullet's headers do not pass our warnings. BT_USE_DOUBLE_PRECISION comes with the target.
set(ELASTO_BULLET_TARGET "" CACHE STRING "Target of your own Bullet in single precision (empty: search)")
set(ELASTO_BULLET_FLOAT64_TARGET "" CACHE STRING "Target of your own Bullet in double precision (empty: search)")

function(_elasto_bullet_from_target name target include_directories)
  add_library(${name} INTERFACE IMPORTED GLOBAL)
  target_link_libraries(${name} INTERFACE ${target})
  if(include_directories)
    target_include_directories(${name} SYSTEM INTERFACE ${include_directories})
  endif()
endfunction()

function(_elasto_find_bullet name module user_target is_double)
  if(TARGET ${name})
    return()
  endif()
  if(user_target AND NOT TARGET ${user_target})
    message(FATAL_ERROR "${user_target}, which is to be your own Bullet, is no target.")
  endif()
  if(user_target)
    _elasto_bullet_from_target(${name} ${user_target} "")
  elseif(TARGET BulletDynamics AND ((is_double AND USE_DOUBLE_PRECISION) OR NOT (is_double OR USE_DOUBLE_PRECISION)))
    _elasto_bullet_from_target(${name} BulletDynamics "${BULLET_PHYSICS_SOURCE_DIR}/src")
    target_link_libraries(${name} INTERFACE BulletCollision LinearMath)
  else()
    find_package(PkgConfig QUIET)
    if(NOT PkgConfig_FOUND)
      return()
    endif()
    string(MAKE_C_IDENTIFIER ELASTO_${module} prefix)
    pkg_check_modules(${prefix} QUIET IMPORTED_TARGET GLOBAL ${module})
    if(NOT ${prefix}_FOUND)
      return()
    endif()
    _elasto_bullet_from_target(${name} PkgConfig::${prefix} "${${prefix}_INCLUDE_DIRS}")
  endif()
  if(is_double)
    target_compile_definitions(${name} INTERFACE BT_USE_DOUBLE_PRECISION)
  endif()
endfunction()

_elasto_find_bullet(elasto::bullet bullet "${ELASTO_BULLET_TARGET}" 0)
_elasto_find_bullet(elasto::bullet-float64 bullet-float64 "${ELASTO_BULLET_FLOAT64_TARGET}" 1)
