#pragma once
#include <filesystem>
#include <vector>

#include "batches.h"
#include "program.h"

namespace elasto::view {

/// What is no body: background, planes, glow around stop faces, lines.
class Overlays {
public:
    explicit Overlays(const std::filesystem::path& shaders);
    ~Overlays();
    Overlays(const Overlays&) = delete;
    Overlays& operator=(const Overlays&) = delete;

    void drawBackground() const;
    /// \param firstIsShaded the first one receives the contact shade
    void drawPlanes(const Program& program, const std::vector<Plane>& planes, bool firstIsShaded) const;
    void drawHalos(const std::vector<HaloInstance>& halos) const;
    void drawLines(const std::vector<LineInstance>& lines, bool onTop) const;

private:
    Program m_background;
    Program m_halo;
    Program m_line;
    unsigned m_noVertices = 0;  // vertex arrays
    unsigned m_haloArray = 0;
    unsigned m_lineArray = 0;
    unsigned m_instances = 0;
};

}  // namespace elasto::view
