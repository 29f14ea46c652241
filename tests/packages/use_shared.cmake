# cmake -DFOLDER= -DLIBRARY= -DCXX= -DSOURCE= -P use_shared.cmake: compiles a program by pkg-config against the shared libraries
# below FOLDER, and runs it.
cmake_minimum_required(VERSION 3.25)
file(GLOB_RECURSE pc ${FOLDER}/${LIBRARY}.pc)
get_filename_component(pc "${pc}" DIRECTORY)
get_filename_component(lib "${pc}" DIRECTORY)
set(program ${FOLDER}/../uses_${LIBRARY})
execute_process(
  COMMAND sh -euc "'${CXX}' -std=c++20 -O0 '${SOURCE}' -o '${program}' -Wl,-rpath,'${lib}' $(PKG_CONFIG_PATH='${pc}' pkg-config --cflags --libs ${LIBRARY}) && '${program}'"
  COMMAND_ERROR_IS_FATAL ANY)
