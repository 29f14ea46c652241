# Install rules, pkg-config files and packages.
#
# Install components: runtime (shared libraries, where they are built), dev (static libraries, headers, CMake and pkg-config
# files), tools (elasto, elasto-single, scenes), gallery. `cpack -G DEB` makes a package of each: ElastoPackages.cmake.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(_elasto_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Elasto)

# What a part of the library needs of the others; CMake's and pkg-config's files say the same.
set(_elasto_needs_core "")
set(_elasto_needs_elasto core)
set(_elasto_needs_elasto-float64 core)
set(_elasto_needs_scene-file core)
set(_elasto_needs_scene scene-file elasto)
set(_elasto_needs_scene-float64 scene-file elasto-float64)
set(_elasto_needs_robot-file scene-file)
set(_elasto_needs_robot robot-file scene)
set(_elasto_needs_robot-float64 robot-file scene-float64)
set(_elasto_parts core elasto elasto-float64 scene-file scene scene-float64 robot-file robot robot-float64)
# Modules of pkg-config that a part needs: headers of theirs are in ours; those after the bar only where we link statically.
set(_elasto_modules_core eigen3)
set(_elasto_modules_elasto bullet | tbb)
set(_elasto_modules_elasto-float64 bullet-float64 | tbb)
set(_elasto_modules_robot-file | tinyxml2)
set(_elasto_about_core "laws and flow of Elasto's force elements, without Bullet")
set(_elasto_about_elasto "Elasto's force elements for Bullet in single precision")
set(_elasto_about_elasto-float64 "Elasto's force elements for Bullet in double precision")
set(_elasto_about_scene-file "scene files of Elasto")
set(_elasto_about_scene "scenes of Elasto in Bullet worlds of single precision")
set(_elasto_about_scene-float64 "scenes of Elasto in Bullet worlds of double precision")
set(_elasto_about_robot-file "URDF files with Elasto's elements")
set(_elasto_about_robot "robots with Elasto's elements in Bullet worlds of single precision")
set(_elasto_about_robot-float64 "robots with Elasto's elements in Bullet worlds of double precision")

# The name of a part outside CMake: libelasto.a, elasto.pc, libelasto-core.a, elasto-core.pc.
function(_elasto_library_name result part)
  if(part MATCHES "^elasto")
    set(${result} ${part} PARENT_SCOPE)
  else()
    set(${result} elasto-${part} PARENT_SCOPE)
  endif()
endfunction()

function(_elasto_write_pc part name)
  set(requires "")
  set(static_requires "")
  foreach(needed IN LISTS _elasto_needs_${part})
    _elasto_library_name(library ${needed})
    list(APPEND requires "${library} = ${PROJECT_VERSION}")
  endforeach()
  set(list requires)
  foreach(module IN LISTS _elasto_modules_${part})
    if(module STREQUAL "|")
      set(list static_requires)
    elseif(NOT module STREQUAL tbb OR ELASTO_THREADS)
      list(APPEND ${list} ${module})
    endif()
  endforeach()
  set(private "")
  if(BUILD_SHARED_LIBS)
    list(JOIN static_requires ", " private)
  else()
    list(APPEND requires ${static_requires})
  endif()
  list(JOIN requires ", " requires)
  set(about ${_elasto_about_${part}})
  # pkgconfig/, then lib/ or lib/<architecture>/: a prefix can be moved.
  file(RELATIVE_PATH prefix_from_pc /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
  string(REGEX REPLACE "/$" "" prefix_from_pc ${prefix_from_pc})
  configure_file(${PROJECT_SOURCE_DIR}/cmake/elasto.pc.in ${PROJECT_BINARY_DIR}/pkgconfig/${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/pkgconfig/${name}.pc
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT dev)
endfunction()

# One export set per part, so that find_package(Elasto) needs only what its part needs. The installed name of elasto-x is
# elasto::x, that of elasto is elasto::elasto.
set(_elasto_installed "")
foreach(part IN LISTS _elasto_parts)
  _elasto_library_name(target ${part})
  if(TARGET ${target})
    list(APPEND _elasto_installed ${part})
    set_target_properties(${target} PROPERTIES
      EXPORT_NAME ${part}
      VERSION ${PROJECT_VERSION}
      SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
    install(TARGETS ${target} EXPORT elasto-${part}-targets
      ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT dev
      LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime NAMELINK_COMPONENT dev
      RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT runtime
      INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
    install(EXPORT elasto-${part}-targets
      FILE Elasto-${part}-targets.cmake NAMESPACE elasto:: DESTINATION ${_elasto_package_dir} COMPONENT dev)
    _elasto_write_pc(${part} ${target})
  endif()
endforeach()

foreach(part core bullet scene robot)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/plugin/include/${part}/elasto DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
    COMPONENT dev FILES_MATCHING PATTERN "*.h")
endforeach()

set(_elasto_needs_tbb ${ELASTO_THREADS})
set(_elasto_needs_lines "")
foreach(part IN LISTS _elasto_parts)
  string(REPLACE ";" " " needs "${_elasto_needs_${part}}")
  list(APPEND _elasto_needs_lines "set(_elasto_needs_${part} ${needs})")
endforeach()
list(JOIN _elasto_needs_lines "\n" _elasto_needs_lines)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/ElastoConfig.cmake.in
  ${PROJECT_BINARY_DIR}/ElastoConfig.cmake INSTALL_DESTINATION ${_elasto_package_dir})
# Before 1.0 a new minor version may change the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/ElastoConfigVersion.cmake
  VERSION ${PROJECT_VERSION} COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/ElastoConfig.cmake
  ${PROJECT_BINARY_DIR}/ElastoConfigVersion.cmake
  ${CMAKE_CURRENT_LIST_DIR}/BulletTargets.cmake
  DESTINATION ${_elasto_package_dir} COMPONENT dev)
# The headers refer to these pages.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/plugin/docs/ DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/libelasto-dev/pages
  COMPONENT dev FILES_MATCHING PATTERN "*.md")
install(FILES ${PROJECT_SOURCE_DIR}/THIRD_PARTY.md DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/libelasto-dev COMPONENT dev)

include(ElastoManual)
include(ElastoPackages)
