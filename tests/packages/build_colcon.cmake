# cmake -DSOURCE_DIR= -DFOLDER= -DCXX= -DBUILT= -DBUILD_TYPE= -DUNITY= -DPRECOMPILE= -P build_colcon.cmake: colcon finds the
# package, builds it with shared libraries and installs it. Objects that the build tree BUILT made by the same commands
# are not compiled a second time: a quarter of all tests' time went there.
cmake_minimum_required(VERSION 3.25)
find_program(colcon colcon)
if(NOT colcon)
  message("skipped: this machine has no colcon")
  return()
endif()
file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER})
execute_process(COMMAND ${colcon} --log-base ${FOLDER}/log list --paths ${SOURCE_DIR}
  OUTPUT_VARIABLE listed COMMAND_ERROR_IS_FATAL ANY)
if(NOT listed MATCHES "^elasto\t")
  message(FATAL_ERROR "colcon list says: ${listed}")
endif()
execute_process(COMMAND ninja -C ${BUILT} -t commands OUTPUT_FILE ${FOLDER}/commands)
# Without this colcon lets no more than one compiler run after tests that kept the machine busy (ninja -l).
cmake_host_system_information(RESULT cores QUERY NUMBER_OF_LOGICAL_CORES)
set(reuse "sh;${CMAKE_CURRENT_LIST_DIR}/reuse_object.sh;${BUILT};${FOLDER}/commands")
execute_process(
  COMMAND ${CMAKE_COMMAND} -E env MAKEFLAGS=-j${cores} "CMAKE_CXX_COMPILER_LAUNCHER=${reuse}"
    ${colcon} --log-base ${FOLDER}/log build --paths ${SOURCE_DIR} --packages-select elasto
    --build-base ${FOLDER}/build --install-base ${FOLDER}/install --event-handlers console_direct+
    --cmake-args -G Ninja -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_BUILD_TYPE=${BUILD_TYPE}
      -DELASTO_UNITY=${UNITY} -DELASTO_PRECOMPILE_HEADERS=${PRECOMPILE}
      -DBUILD_SHARED_LIBS=ON -DELASTO_BUILD_TESTS=OFF -DELASTO_BUILD_TOOLS=OFF -DELASTO_BUILD_ROBOT=ON -DELASTO_BUILD_GALLERY=OFF
  COMMAND_ERROR_IS_FATAL ANY)
