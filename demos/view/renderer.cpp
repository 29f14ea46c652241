#include "view/renderer.h"

#include <epoxy/gl.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdlib>

#include "batches.h"
#include "contact_shade.h"
#include "frame_block.h"
#include "lit_programs.h"
#include "mesh_buffers.h"
#include "overlays.h"
#include "program.h"
#include "shadow_map.h"
#include "view/context.h"
#include "view/error.h"

namespace elasto::view {

namespace {

bool isGood(const Plane& plane) {
    return plane.point.allFinite() && plane.normal.allFinite() && plane.normal.norm() > 0 &&
           std::isfinite(plane.spacing);
}

}  // namespace

Light Light::bright() {
    return {};
}

Light Light::dark() {
    Light light;
    light.zenith = Color::bytes(20, 22, 26);
    light.horizon = Color::bytes(46, 50, 57);
    light.ground = Color::bytes(52, 56, 63);
    light.grid = Color::bytes(96, 103, 115);
    // Bodies stay as readable as in the bright: they receive more light than the background shows.
    light.sky = Color::bytes(176, 184, 196);
    light.floorLight = Color::bytes(120, 126, 136);
    return light;
}

Quality Quality::best() {
    return {};
}

Quality Quality::interactive() {
    if (!drawsInSoftware()) return best();
    return {Shadows::Plain, 1024, false, 0.6F};
}

int Quality::interactiveSamples() {
    return drawsInSoftware() ? 1 : 4;
}

struct Renderer::Implementation {
    const std::filesystem::path shaders;
    std::array<std::unique_ptr<LitPrograms>, 3> litPrograms;  // by the kind of shadows, when first used
    Program solidDepth;
    Program wireDepth;
    MeshBuffers meshes;
    Overlays overlays;
    ShadowMap shadowMap;
    ContactShade contactShade;
    Batches batches;
    DrawStatistics statistics;
    GLuint frameBuffer = 0;

    explicit Implementation(const std::filesystem::path& folder)
        : shaders(folder),
          solidDepth(shaders, "solid.vert", "depth.frag"),
          wireDepth(shaders, "wire.vert", "depth.frag"),
          overlays(shaders),
          contactShade(shaders) {
        // A defective shader is refused now, not when the first picture is drawn.
        lit(Quality::interactive().shadows);
        glGenBuffers(1, &frameBuffer);
    }
    ~Implementation() { glDeleteBuffers(1, &frameBuffer); }
    Implementation(const Implementation&) = delete;
    Implementation& operator=(const Implementation&) = delete;

    const LitPrograms& lit(Shadows shadows) {
        std::unique_ptr<LitPrograms>& programs = litPrograms[static_cast<std::size_t>(shadows)];
        if (programs == nullptr) programs = std::make_unique<LitPrograms>(shaders, shadows);
        return *programs;
    }

    void setFrame(const FrameBlock& frame) const {
        glBindBuffer(GL_UNIFORM_BUFFER, frameBuffer);
        glBufferData(GL_UNIFORM_BUFFER, sizeof(FrameBlock), &frame, GL_STREAM_DRAW);
        glBindBufferBase(GL_UNIFORM_BUFFER, 0, frameBuffer);
    }

    void drawLayer(Layer layer, const Program& solids, const Program& wires) {
        solids.use();
        statistics.triangles += meshes.draw(batches, layer, false, statistics.calls);
        wires.use();
        statistics.triangles += meshes.draw(batches, layer, true, statistics.calls);
    }

    /// Depths of all that casts shadows, into what is bound.
    void drawDepths(FrameBlock frame, const ShadowView& view) {
        // The lamp's view: texture coordinates 0 .. 1 become clip coordinates -1 .. 1.
        Eigen::Matrix4f toClip = Eigen::Matrix4f::Identity() * 2;
        toClip.topRightCorner<3, 1>().setConstant(-1);
        toClip(3, 3) = 1;
        frame.viewProjection = toClip * view.matrix;
        setFrame(frame);
        // What is before or behind the map's depth still casts its shadow.
        glEnable(GL_DEPTH_CLAMP);
        const DrawStatistics before = statistics;
        drawLayer(Layer::Solid, solidDepth, wireDepth);
        statistics.triangles = before.triangles;
        glDisable(GL_DEPTH_CLAMP);
    }

    void drawShadows(const FrameBlock& frame, const ShadowView& view, int size) {
        shadowMap.begin(size);
        glEnable(GL_POLYGON_OFFSET_FILL);
        glPolygonOffset(1.5F, 2);
        drawDepths(frame, view);
        glDisable(GL_POLYGON_OFFSET_FILL);
    }

    void drawContactShade(const FrameBlock& frame, const ContactView& view) {
        contactShade.beginUndersides();
        drawDepths(frame, view.undersides);
        contactShade.beginTops();
        drawDepths(frame, view.tops);
        contactShade.finish(LitPrograms::kContactUnit, LitPrograms::kPlainUnit);
    }

    /// Only the nearest surface of all ghosts is seen, so that their inner sides and order do not matter.
    void drawGhosts(const LitPrograms& programs) {
        glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
        drawLayer(Layer::Ghost, solidDepth, wireDepth);
        glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
        glDepthMask(GL_FALSE);
        glEnable(GL_BLEND);
        drawLayer(Layer::Ghost, programs.solid, programs.wire);
        glDisable(GL_BLEND);
        glDepthMask(GL_TRUE);
    }

    bool hasGhosts() const {
        return std::any_of(batches.batches().begin(), batches.batches().end(), [](const Batch& batch) {
            return !batch.instances[static_cast<std::size_t>(Layer::Ghost)].empty();
        });
    }

    static void setState() {
        glDisable(GL_SCISSOR_TEST);
        glDisable(GL_STENCIL_TEST);
        glDisable(GL_BLEND);
        glDisable(GL_CULL_FACE);
        glEnable(GL_MULTISAMPLE);
        glEnable(GL_DEPTH_TEST);
        glDepthFunc(GL_LEQUAL);
        glDepthMask(GL_TRUE);
        glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
        glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
        glBlendEquation(GL_FUNC_ADD);
        // The picture stays opaque, whatever is blended into it.
        glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ZERO, GL_ONE);
        glClearDepth(1);
        glClearColor(0, 0, 0, 1);
    }
};

Renderer::Renderer(const std::filesystem::path& shaders)
    : m_implementation(std::make_unique<Implementation>(shaders)) {}
Renderer::~Renderer() = default;

const DrawStatistics& Renderer::statistics() const {
    return m_implementation->statistics;
}

void Renderer::draw(const Picture& picture, const Camera& camera, const Light& light, const Quality& quality,
                    Target& target) {
    Implementation& self = *m_implementation;
    Quality used = quality;
    used.shadowMapSize = std::clamp(used.shadowMapSize, 256, 8192);
    self.batches.fill(picture, camera, target.height(), std::clamp(used.detail, 0.1F, 4.0F));
    self.statistics = {self.batches.objects(), 0, 0};
    self.meshes.upload(self.batches);

    const Eigen::Vector3f lamp = towardsLamp(camera, light);
    const Eigen::AlignedBox3f casters = boundsOfCasters(picture);
    const Viewpoint& viewpoint = camera.viewpoint;
    const ShadowView view = aimShadow(casters, viewpoint.target, viewpoint.distance, lamp, used.shadowMapSize);
    const bool shaded = used.contactShade && !picture.planes.empty() && isGood(picture.planes.front());
    ContactView heights;
    if (shaded) {
        heights = aimContactShade(picture.planes.front(), casters, viewpoint.target, viewpoint.distance,
                                  ContactShade::kHeightsSize);
    }
    const FrameBlock frame =
        makeFrameBlock(camera, light, used, view, heights.undersides, lamp, target.width(), target.height());

    Implementation::setState();
    if (used.shadows != Shadows::Off) self.drawShadows(frame, view, used.shadowMapSize);
    if (shaded) self.drawContactShade(frame, heights);
    self.setFrame(frame);
    self.shadowMap.bindTexture(LitPrograms::kComparingUnit, true);
    self.shadowMap.bindTexture(LitPrograms::kPlainUnit, false);
    self.contactShade.bindTexture(LitPrograms::kContactUnit);

    target.bind();
    glEnable(GL_FRAMEBUFFER_SRGB);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    const LitPrograms& programs = self.lit(used.shadows);
    self.drawLayer(Layer::Solid, programs.solid, programs.wire);
    self.drawLayer(Layer::Sign, programs.solid, programs.wire);
    self.overlays.drawBackground();
    self.overlays.drawPlanes(programs.plane, picture.planes, shaded);
    self.overlays.drawHalos(self.batches.halos());
    self.overlays.drawLines(self.batches.lines(false), false);
    if (self.hasGhosts()) self.drawGhosts(programs);
    self.overlays.drawLines(self.batches.lines(true), true);
    glDisable(GL_FRAMEBUFFER_SRGB);

    // Whoever draws next begins from OpenGL's usual state.
    glBindVertexArray(0);
    glUseProgram(0);
    for (const int unit : {LitPrograms::kComparingUnit, LitPrograms::kPlainUnit})
        glBindSampler(static_cast<GLuint>(unit), 0);
    target.resolve();
}

std::filesystem::path findShaders() {
    namespace fs = std::filesystem;
    std::error_code error;
    if (const char* assets = std::getenv("ELASTO_ASSETS"); assets != nullptr && *assets != '\0') {
        const fs::path folder = fs::path(assets) / "shaders";
        if (fs::is_directory(folder, error)) return folder;
    }
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    const fs::path folder = (program.parent_path() / ELASTO_SHADERS_FROM_BIN).lexically_normal();
    if (error || !fs::is_directory(folder, error)) {
        throw GraphicsError("the folder of shaders '" + folder.string() + "' does not exist");
    }
    return folder;
}

}  // namespace elasto::view
