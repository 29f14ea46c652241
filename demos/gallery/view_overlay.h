#pragma once
/// @file view_overlay.h
/// Texts over the view: labels at things of the world.

#include "gallery/scene_drawing.h"
#include "panels/layout.h"
#include "panels/theme.h"
#include "view/camera.h"

#include <imgui.h>

#include <span>
#include <vector>

namespace elasto::gallery {

/// The part of the window that panels leave free [pixel].
struct FreeArea {
    float left = 0;
    float top = 0;
    float right = 0;
    float bottom = 0;

    float width() const { return right - left; }
    float height() const { return bottom - top; }
};

/// Labels where their points are in the free area, whole; those with points outside of it are left out, those that
/// would lie on each other are moved down, and those under one of the rectangles aside.
void drawLabels(const std::vector<Label>& labels, const view::Camera& camera, const FreeArea& area,
                std::span<const panels::Rect> covered, const panels::Palette& palette);
/// Where a body is that is hard to find: out of the free area, by an arrow at its edge, or too small to be seen, by a
/// ring; with the body's name and how far it is. Nothing for one that is in sight.
/// @param radius of the body [m]
void drawWayTo(const Eigen::Vector3d& position, double radius, const std::string& name, const view::Camera& camera,
               const FreeArea& area, const panels::Palette& palette);

}  // namespace elasto::gallery
