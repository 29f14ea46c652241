#include "lit_programs.h"

#include <string>

namespace elasto::view {

namespace {

std::string defineShadows(Shadows shadows) {
    return "#define SHADOWS " + std::to_string(static_cast<int>(shadows)) + '\n';
}

}  // namespace

LitPrograms::LitPrograms(const std::filesystem::path& shaders, Shadows shadows)
    : solid(shaders, "solid.vert", "lit.frag", defineShadows(shadows)),
      wire(shaders, "wire.vert", "lit.frag", defineShadows(shadows)),
      plane(shaders, "plane.vert", "plane.frag", defineShadows(shadows)) {
    for (const Program* program : {&solid, &wire, &plane}) {
        program->use();
        program->setSampler("shadowDepths", kComparingUnit);
        program->setSampler("shadowDistances", kPlainUnit);
        program->setSampler("contactShade", kContactUnit);
    }
}

}  // namespace elasto::view
