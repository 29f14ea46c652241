# An overlay port: vcpkg install elasto --overlay-ports=<here>. It builds the sources that it lies in.
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)

vcpkg_check_features(OUT_FEATURE_OPTIONS FEATURE_OPTIONS
  FEATURES
    scene ELASTO_BUILD_SCENE
    robot ELASTO_BUILD_ROBOT)

vcpkg_cmake_configure(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS
    ${FEATURE_OPTIONS}
    -DELASTO_BUILD_TOOLS=OFF
    -DELASTO_BUILD_GALLERY=OFF
    -DELASTO_BUILD_TESTS=OFF
    -DELASTO_WARNINGS_AS_ERRORS=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(PACKAGE_NAME Elasto CONFIG_PATH lib/cmake/Elasto)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
