#pragma once
/// @file scene_drawing.h
/// A scene as a picture: bodies, joints, and elements by Modelica's rules (modelica_geometry.h).

#include "gallery/moment.h"
#include "view/picture.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace elasto::gallery {

/// Text at a point of the world.
struct Label {
    Eigen::Vector3f at = Eigen::Vector3f::Zero();  ///< [m]
    std::string text;
    bool isCentred = false;  ///< over the point instead of beside it
};

/// What is shown beside the things themselves.
struct DrawingOptions {
    bool forces = true;     ///< arrows of the elements' forces
    double forceScale = 1;  ///< their length, relative to the usual
    bool labels = false;    ///< f and s_rel at the elements
    int selected = -1;      ///< element that is highlighted, -1: none
    int hoveredBody = -1;   ///< body that is highlighted, -1: none
    int selectedBody = -1;  ///< body that is highlighted a little less, -1: none
    bool ground = true;
    std::optional<view::Color> bodyColor = {};  ///< of all dynamic bodies
};

/// Ids of objects in pictures: bodies and elements of a scene.
constexpr int idOfBody(int body) {
    return body;
}
constexpr int idOfElement(int element) {
    return 100000 + element;
}
constexpr int bodyOfId(int id) {
    return id >= 0 && id < 100000 ? id : -1;
}
constexpr int elementOfId(int id) {
    return id >= 100000 ? id - 100000 : -1;
}

/// How a ghost, or the run of a baseline, is tinted.
struct Tint {
    float opacity = 1;
    float highlight = 0;
    bool hasColor = false;
    view::Color color{};
    bool hasRods = false;  ///< rods of bodies in that colour are drawn, too
};

/// How strongly a body is marked.
float highlightOf(int body, const DrawingOptions& options);

class SceneDrawing {
public:
    /// @param scene  kept by reference: must outlive the drawing
    /// @param guests box around what the demo shows besides [m]
    /// @param movesAlong the view goes along with what moves: the scene's size is that of what moves
    explicit SceneDrawing(const Scene& scene, const Eigen::AlignedBox3d& guests = Eigen::AlignedBox3d(),
                          bool movesAlong = false);

    /// The box around the scene at its start, and around what moves in its first seconds [m]; where the view goes
    /// along, around what moves at its start.
    const Eigen::AlignedBox3d& bounds() const { return m_bounds; }
    /// Size of the scene: what arrows, rods and grids are measured by [m].
    double size() const { return m_size; }

    /// Takes the largest forces so far into account, for glow and arrows.
    void note(const SceneSample& sample);
    /// Largest |f| of an element seen [N, N.m].
    double largestForce(std::size_t element) const { return m_elements[element].largest; }

    /// Fills a picture and the labels that belong to it.
    /// @param laws of the elements now (parameters may have been edited); as many as the scene has elements
    void draw(const Moment& moment, const std::vector<Law>& laws, const DrawingOptions& options, view::Picture& picture,
              std::vector<Label>& labels);
    /// Bodies alone: ghosts of other branches, baselines.
    void drawBodies(const std::vector<BodyPose>& poses, const Tint& tint, view::Picture& picture) const;
    /// Balls that fly.
    void drawBall(const BodyPose& pose, double radius, int id, float highlight, view::Picture& picture) const;

    // What follows is for the parts of the drawing (element_drawing.h, rotary_drawing.h).
    struct ElementState {
        SceneElement element;       ///< with the law of now
        bool isCarriedByB = false;  ///< a stop's buffer hangs on b's body: it began beside a's axis
        double largest = 0;         ///< largest |f| so far [N, N.m]
        std::shared_ptr<const view::Mesh> innerClaws = {};
        std::shared_ptr<const view::Mesh> outerClaws = {};
        double clawPlay = -1;  ///< the play that the claws are made for [rad]
    };
    const Scene& scene() const { return m_scene; }
    const BodyPose& poseOf(int body, const std::vector<BodyPose>& poses) const;

private:
    void drawBody(std::size_t body, const BodyPose& pose, const Tint& tint, int id, view::Picture& picture) const;
    void drawRods(std::size_t index, const BodyPose& pose, const view::Surface& surface, view::Picture& picture) const;
    void drawJoints(const std::vector<BodyPose>& poses, view::Picture& picture) const;
    void drawGround(view::Picture& picture) const;

    const Scene& m_scene;
    std::vector<ElementState> m_elements;
    std::vector<std::vector<Eigen::Vector3d>> m_links;  ///< per body: points, from the centre, that rods connect [m]
    std::vector<view::Color> m_colors;                  ///< per body
    Eigen::AlignedBox3d m_bounds;
    double m_size = 1;
    double m_largest = 0;  ///< |f| of all translational elements [N]
    double m_largestTorque = 0;
};

}  // namespace elasto::gallery
