# cmake -DSOURCE_DIR= -DFOLDER= -DCXX= -P build_colcon.cmake: colcon finds the package, builds it with shared
# libraries and installs it. Robots are left out, which take half as long again: that they can be found where they are
# installed consumer.find_package tells.
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
# Without this colcon lets no more than one compiler run after tests that kept the machine busy (ninja -l).
cmake_host_system_information(RESULT cores QUERY NUMBER_OF_LOGICAL_CORES)
execute_process(
  COMMAND ${CMAKE_COMMAND} -E env MAKEFLAGS=-j${cores} ${colcon} --log-base ${FOLDER}/log build --paths ${SOURCE_DIR} --packages-select elasto
    --build-base ${FOLDER}/build --install-base ${FOLDER}/install --event-handlers console_direct+
    --cmake-args -G Ninja -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O0
      -DBUILD_SHARED_LIBS=ON -DELASTO_UNITY=ON -DELASTO_BUILD_TESTS=OFF -DELASTO_BUILD_TOOLS=OFF -DELASTO_BUILD_ROBOT=OFF
      -DELASTO_BUILD_GALLERY=OFF
  COMMAND_ERROR_IS_FATAL ANY)
