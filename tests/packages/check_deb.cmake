# cmake -DCPACK= -DBINARY_DIR= -DFOLDER= -DREADME= -DCXX= -DVERSION= -DLIBDIR= -P check_deb.cmake: `cpack -G DEB` makes three
# packages in which lintian finds nothing to warn of; modules of pkg-config are where that looks for them; unpacked somewhere
# else they compile the README's example by pkg-config alone, in both precisions, and their programs find their scenes.
cmake_minimum_required(VERSION 3.25)
find_program(dpkg_deb dpkg-deb)
find_program(dpkg_shlibdeps dpkg-shlibdeps)
find_program(lintian lintian)
find_program(pkg_config pkg-config REQUIRED)
if(NOT dpkg_deb OR NOT dpkg_shlibdeps OR NOT lintian)
  message("skipped: this machine has no dpkg-deb, dpkg-shlibdeps or lintian")
  return()
endif()
file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER})
execute_process(COMMAND ${CPACK} -G DEB -B ${FOLDER}/made WORKING_DIRECTORY ${BINARY_DIR}
  OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE code)
file(GLOB packages ${FOLDER}/made/*.deb)
list(LENGTH packages count)
if(NOT code EQUAL 0 OR NOT count EQUAL 3)
  message(FATAL_ERROR "${packages}: these packages were made.\n${output}")
endif()
foreach(name libelasto-dev elasto-tools elasto-gallery)
  file(GLOB package ${FOLDER}/made/${name}_${VERSION}-0.1_*.deb)
  if(NOT package)
    message(FATAL_ERROR "There is no ${name} among ${packages}.")
  endif()
  execute_process(COMMAND ${dpkg_deb} -x ${package} ${FOLDER}/root COMMAND_ERROR_IS_FATAL ANY)
endforeach()

execute_process(COMMAND ${lintian} --allow-root --fail-on error,warning --tag-display-limit 0 ${packages}
  OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE code)
message("${output}")
if(NOT code EQUAL 0)
  message(FATAL_ERROR "lintian finds errors or warnings.")
endif()

include(${CMAKE_CURRENT_LIST_DIR}/../readme_example.cmake)
readme_example(${README} ${FOLDER}/example.cpp)
set(pc ${FOLDER}/root/usr/${LIBDIR}/pkgconfig)
# Its own folders, not those that this environment adds.
execute_process(COMMAND ${CMAKE_COMMAND} -E env --unset=PKG_CONFIG_PATH --unset=PKG_CONFIG_LIBDIR
  ${pkg_config} --variable pc_path pkg-config OUTPUT_VARIABLE looked OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
if(NOT EXISTS ${pc}/elasto.pc OR NOT ":${looked}:" MATCHES ":/usr/${LIBDIR}/pkgconfig:")
  message(FATAL_ERROR "elasto.pc is not in ${pc}, or pkg-config does not look there but in ${looked}")
endif()
foreach(module elasto elasto-float64)
  execute_process(COMMAND sh -c "'${CXX}' -std=c++20 -O1 example.cpp -o ${module} $(PKG_CONFIG_PATH='${pc}' '${pkg_config}' --cflags --libs ${module}) && ./${module}"
    WORKING_DIRECTORY ${FOLDER} OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "m, mean force" lines "${output}")
  list(LENGTH lines count)
  if(NOT count EQUAL 120)
    message(FATAL_ERROR "The README's example with ${module} prints\n${output}")
  endif()
endforeach()

foreach(command "elasto run elasto_gap" "elasto-single run elasto_gap"
    "elasto-gallery --demo elasto_gap --frames 3 --size 320x240 --screenshot gap.png")
  execute_process(COMMAND sh -c "./root/usr/bin/${command}" WORKING_DIRECTORY ${FOLDER} OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
endforeach()
if(NOT EXISTS ${FOLDER}/gap.png)
  message(FATAL_ERROR "elasto-gallery made no picture.")
endif()
