# Install rules: one export set per component, so that find_package(Elasto) needs only what its component needs.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(_elasto_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Elasto)

# Component -> our targets in it. The installed name of elasto-x is elasto::x, that of elasto is elasto::elasto.
set(_elasto_components core elasto elasto-float64 scene-file scene scene-float64 robot-file robot robot-float64)
set(_elasto_installed "")
foreach(component IN LISTS _elasto_components)
  set(target elasto-${component})
  if(component MATCHES "^elasto")
    set(target ${component})
  endif()
  if(TARGET ${target})
    list(APPEND _elasto_installed ${component})
    set_target_properties(${target} PROPERTIES
      EXPORT_NAME ${component}
      VERSION ${PROJECT_VERSION}
      SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
    install(TARGETS ${target} EXPORT elasto-${component}-targets
      ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
      LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
      RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
      INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
    install(EXPORT elasto-${component}-targets
      FILE Elasto-${component}-targets.cmake NAMESPACE elasto:: DESTINATION ${_elasto_package_dir})
  endif()
endforeach()

foreach(part core bullet scene robot)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/plugin/include/${part}/elasto DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
    FILES_MATCHING PATTERN "*.h")
endforeach()

set(_elasto_needs_tbb ${ELASTO_THREADS})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/ElastoConfig.cmake.in
  ${PROJECT_BINARY_DIR}/ElastoConfig.cmake INSTALL_DESTINATION ${_elasto_package_dir})
# Before 1.0 a new minor version may change the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/ElastoConfigVersion.cmake
  VERSION ${PROJECT_VERSION} COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/ElastoConfig.cmake
  ${PROJECT_BINARY_DIR}/ElastoConfigVersion.cmake
  ${CMAKE_CURRENT_LIST_DIR}/BulletTargets.cmake
  DESTINATION ${_elasto_package_dir})
# The headers refer to them.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/plugin/docs DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.md")
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/THIRD_PARTY.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
