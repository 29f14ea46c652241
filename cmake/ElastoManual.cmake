# Manual pages of the programs, made of their --help when they have been built: share/man/man1.
if(CMAKE_CROSSCOMPILING)
  return()
endif()
find_program(_elasto_gzip gzip)

set(_elasto_pages "")
# _elasto_manual(<target> <program> <component> <other pages>...)
function(_elasto_manual target program component)
  if(NOT TARGET ${target})
    return()
  endif()
  set(page ${PROJECT_BINARY_DIR}/man/${program}.1)
  if(_elasto_gzip)
    string(APPEND page .gz)
  endif()
  add_custom_command(OUTPUT ${page}
    COMMAND ${CMAKE_COMMAND} -DPROGRAM=$<TARGET_FILE:${target}> -DNAME=${program} -DVERSION=${PROJECT_VERSION} "-DSEE=${ARGN}"
      -DOUTPUT=${page} -P ${PROJECT_SOURCE_DIR}/cmake/man_page.cmake
    DEPENDS ${target} ${PROJECT_SOURCE_DIR}/cmake/man_page.cmake VERBATIM)
  set(_elasto_pages ${_elasto_pages} ${page} PARENT_SCOPE)
  install(FILES ${page} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT ${component})
endfunction()
_elasto_manual(elasto-command elasto tools elasto-single elasto-gallery)
_elasto_manual(elasto-command-single elasto-single tools elasto)
_elasto_manual(elasto-gallery-program elasto-gallery gallery elasto)
if(_elasto_pages)
  add_custom_target(elasto-manual ALL DEPENDS ${_elasto_pages})
endif()
