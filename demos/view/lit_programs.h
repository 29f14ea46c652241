#pragma once
#include <filesystem>

#include "program.h"
#include "view/renderer.h"

namespace elasto::view {

/// The programs of all that receives shadows, for one kind of them: a processor that draws would otherwise take the
/// texels of all kinds and drop most.
struct LitPrograms {
    static constexpr int kContactUnit = 5;  ///< texture units
    static constexpr int kComparingUnit = 6;
    static constexpr int kPlainUnit = 7;

    LitPrograms(const std::filesystem::path& shaders, Shadows shadows);

    Program solid;
    Program wire;
    Program plane;
};

}  // namespace elasto::view
