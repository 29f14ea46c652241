#pragma once
#include <Eigen/Core>
#include <filesystem>
#include <memory>

#include "view/camera.h"
#include "view/color.h"
#include "view/picture.h"
#include "view/target.h"

namespace elasto::view {

/// The light and the surroundings of a picture.
struct Light {
    Eigen::Vector3f direction = {-0.42F, 0.80F, 0.46F};  ///< to the lamp, seen by a camera of azimuth 0; any length
    bool followsCamera = true;  ///< the lamp turns with the camera's azimuth, so that what is seen is always lit
    float lamp = 1;             ///< strength of the lamp, 0 ..
    float surroundings = 1;     ///< strength of the light from all around, 0 ..
    Color sky = Color::bytes(217, 222, 228);         ///< light from above that bodies receive and reflect
    Color floorLight = Color::bytes(226, 228, 231);  ///< likewise from below
    Color zenith = Color::bytes(196, 204, 214);
    Color horizon = Color::bytes(238, 240, 242);  ///< of the background, as zenith
    Color ground = Color::bytes(226, 228, 231);   ///< of planes
    Color grid = Color::bytes(150, 156, 166);     ///< of their lines
    Color accent = Color::bytes(255, 140, 20);    ///< of what is highlighted

    static Light bright();
    static Light dark();
};

enum class Shadows {
    Off,
    Plain,  ///< small filter: for drawing in software
    Soft,   ///< sharp where things touch, softer the farther what casts them is
};

struct Quality {
    Shadows shadows = Shadows::Soft;
    int shadowMapSize = 2048;  ///< [texel], 256 .. 8192
    bool contactShade = true;  ///< bodies darken the ground (the first plane) under them
    float detail = 1;          ///< of round things: triangles per pixel relative to what looks smooth, 0.1 .. 4

    /// For a picture that may take its time.
    static Quality best();
    /// That keeps a window alive where the current context draws in software, else best().
    static Quality interactive();
    /// Samples per pixel that go with interactive(): 4, or 1 where the current context draws in software.
    static int interactiveSamples();
};

/// What the last picture took.
struct DrawStatistics {
    int objects = 0;
    int triangles = 0;  ///< without those of the shadow maps
    int calls = 0;
};

/// Draws pictures. Needs a context of OpenGL 3.3 that stays current; keeps its shaders and meshes on the GPU.
class Renderer {
public:
    /// \param shaders folder of the *.vert, *.frag and *.glsl files
    /// \throws GraphicsError with file and line when a shader is missing or defective
    explicit Renderer(const std::filesystem::path& shaders);
    ~Renderer();
    Renderer(const Renderer&) = delete;
    Renderer& operator=(const Renderer&) = delete;

    /// Draws all of the target and resolves it. Objects whose numbers are not finite are left out.
    void draw(const Picture& picture, const Camera& camera, const Light& light, const Quality& quality, Target& target);

    const DrawStatistics& statistics() const;

private:
    struct Implementation;
    std::unique_ptr<Implementation> m_implementation;
};

/// The folder of the shaders: shaders/ in $ELASTO_ASSETS where it has one, else share/elasto/shaders beside the
/// executable's folder, as installed (the build folder is laid out the same way).
/// \throws GraphicsError when there is none
std::filesystem::path findShaders();

}  // namespace elasto::view
