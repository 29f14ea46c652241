#pragma once
/// @file color_texture.h
/// A texture that is drawn into.

namespace elasto::view {

struct ColorTexture {
    unsigned texture = 0;
    unsigned framebuffer = 0;  ///< draws into it
};

/// Both stay bound. Who asks for it deletes it.
/// @param format OpenGL's sized format @param minFilter how it is read where it is small
ColorTexture makeColorTexture(unsigned format, int width, int height, int minFilter);

}  // namespace elasto::view
