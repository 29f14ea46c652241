#pragma once

namespace elasto::view {

/// Refuses at once, with a message, where a library of OpenGL is missing: epoxy itself would end the program.
/// \throws GraphicsError
void requireLibraries();

/// \throws GraphicsError unless the current context has OpenGL 3.3
void requireVersion();

}  // namespace elasto::view
