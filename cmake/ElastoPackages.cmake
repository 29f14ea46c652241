# `cpack -G DEB` makes Debian packages: libelasto-dev, elasto-tools, elasto-gallery, and libelasto<version> where libraries are
# shared (then configure with -DCMAKE_SKIP_INSTALL_RPATH=ON: Debian's linker finds them). `cpack -G TGZ` makes archives.
if(NOT PROJECT_IS_TOP_LEVEL)
  return()
endif()
set(CPACK_PACKAGE_NAME elasto)
set(CPACK_PACKAGE_VENDOR "Elasto contributors")
set(CPACK_PACKAGE_CONTACT "Elasto contributors <elasto@packages.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Modelica's force elements for the Bullet physics engine")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)

set(CPACK_COMPONENTS_ALL dev)
if(BUILD_SHARED_LIBS)
  list(PREPEND CPACK_COMPONENTS_ALL runtime)
endif()
if(ELASTO_BUILD_TOOLS)
  list(APPEND CPACK_COMPONENTS_ALL tools)
endif()
if(ELASTO_BUILD_GALLERY)
  list(APPEND CPACK_COMPONENTS_ALL gallery)
endif()
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
# Before Debian's own first one (-1), which would take the place of ours, and would have to close the request for it.
set(CPACK_DEBIAN_PACKAGE_RELEASE 0.1)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS OFF)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)

set(_elasto_soversion ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set(_elasto_exactly "(= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})")
set(_elasto_about "Elasto adds ElastoGap, ElastoBacklash and SpringDamperSeries of the
Modelica Standard Library to the Bullet physics engine: stops that lift
off, gears with play, and dampers in series, which behave at 60 Hz as in
a solver with variable steps.")

# _elasto_deb(<component> <package> <section> <what is in it> [DEPENDS d] [RECOMMENDS r])
macro(_elasto_deb component package section content)
  cmake_parse_arguments(_deb "" "DEPENDS;RECOMMENDS" "" ${ARGN})
  string(TOUPPER ${component} _upper)
  set(CPACK_DEBIAN_${_upper}_PACKAGE_NAME ${package})
  set(CPACK_DEBIAN_${_upper}_PACKAGE_SECTION ${section})
  set(CPACK_DEBIAN_${_upper}_DESCRIPTION "${_elasto_about}\n\n${content}")
  set(CPACK_DEBIAN_${_upper}_PACKAGE_DEPENDS "${_deb_DEPENDS}")
  set(CPACK_DEBIAN_${_upper}_PACKAGE_RECOMMENDS "${_deb_RECOMMENDS}")
  # What Debian's policy wants of each package.
  set(_folder ${PROJECT_BINARY_DIR}/debian/${package})
  configure_file(${PROJECT_SOURCE_DIR}/cmake/debian_copyright.in ${_folder}/copyright @ONLY)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/debian_changelog.in ${_folder}/changelog.Debian @ONLY)
  install(FILES ${_folder}/copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package} COMPONENT ${component})
  if(_elasto_gzip)
    # -n: without name and time, so that the same sources make the same file.
    execute_process(COMMAND ${_elasto_gzip} -9nf ${_folder}/changelog.Debian COMMAND_ERROR_IS_FATAL ANY)
    install(FILES ${_folder}/changelog.Debian.gz DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package} COMPONENT ${component})
  endif()
endmacro()

string(TIMESTAMP _elasto_date "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(READ ${PROJECT_SOURCE_DIR}/LICENSE _elasto_license)
string(REGEX MATCH "Copyright \\(c\\) ([^\n]*)\n\n(.*[^\n])" _elasto_license "${_elasto_license}")
set(_elasto_copyright "${CMAKE_MATCH_1}")
string(REPLACE "\n" "\n " _elasto_license "${CMAKE_MATCH_2}")
string(REPLACE "\n \n" "\n .\n" _elasto_license "${_elasto_license}")

set(_elasto_tools_depends "")
set(_elasto_dev_depends "libbullet-dev, libeigen3-dev, libtbb-dev, pkg-config")
if(BUILD_SHARED_LIBS)
  string(PREPEND _elasto_dev_depends "libelasto${_elasto_soversion} ${_elasto_exactly}, ")
  _elasto_deb(runtime libelasto${_elasto_soversion} libs
    "This package has the shared libraries.")
  set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
  # Programs find our libraries where they were built; the package that has them is named.
  foreach(part IN LISTS _elasto_installed)
    _elasto_library_name(target ${part})
    get_target_property(folder ${target} BINARY_DIR)
    list(APPEND CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${folder})
  endforeach()
  list(REMOVE_DUPLICATES CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS)
  set(_elasto_tools_depends "libelasto${_elasto_soversion} ${_elasto_exactly}")
  file(WRITE ${PROJECT_BINARY_DIR}/debian/triggers "activate-noawait ldconfig\n")
  set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/debian/triggers)
endif()
_elasto_deb(dev libelasto-dev libdevel
  "This package has headers, libraries and files for CMake and pkg-config."
  DEPENDS "${_elasto_dev_depends}" RECOMMENDS "libtinyxml2-dev")
_elasto_deb(tools elasto-tools science
  "This package has elasto, elasto-single and their scenes." DEPENDS "${_elasto_tools_depends}"
  RECOMMENDS "gnuplot-nox | gnuplot-qt | gnuplot-x11")
_elasto_deb(gallery elasto-gallery science
  "This package has the window elasto-gallery."
  DEPENDS "elasto-tools ${_elasto_exactly}, fonts-dejavu-core, libegl1, libgl1, libgl1-mesa-dri")

include(CPack)
