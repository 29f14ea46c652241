#pragma once
#include <stdexcept>

namespace elasto::view {

/// What keeps a picture from being made: no OpenGL 3.3, no display, a missing or defective shader, a file that cannot
/// be written (see below). The message is one sentence for users.
class GraphicsError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// A picture's file that cannot be written.
class PictureFileError : public GraphicsError {
public:
    using GraphicsError::GraphicsError;
};

}  // namespace elasto::view
