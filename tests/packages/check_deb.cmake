# cmake -DCPACK= -DBINARY_DIR= -DFOLDER= -DREADME= -DCXX= -DVERSION= -P check_deb.cmake: `cpack -G DEB` makes three packages in
# which lintian finds no error; unpacked somewhere else they compile the README's example by pkg-config alone, in both
# precisions, and their programs find their scenes.
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
  file(GLOB package ${FOLDER}/made/${name}_${VERSION}-1_*.deb)
  if(NOT package)
    message(FATAL_ERROR "There is no ${name} among ${packages}.")
  endif()
  execute_process(COMMAND ${dpkg_deb} -x ${package} ${FOLDER}/root COMMAND_ERROR_IS_FATAL ANY)
endforeach()

execute_process(COMMAND ${lintian} --allow-root --fail-on error --tag-display-limit 0 ${packages}
  OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE code)
message("${output}")
if(NOT code EQUAL 0)
  message(FATAL_ERROR "lintian finds errors.")
endif()

# The README's first block of C++.
file(READ ${README} readme)
string(REGEX MATCH "```cpp\n([^`]*)```" block "${readme}")
file(WRITE ${FOLDER}/example.cpp "${CMAKE_MATCH_1}")
file(GLOB_RECURSE pc ${FOLDER}/root/usr/lib/elasto.pc)
get_filename_component(pc ${pc} DIRECTORY)
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
