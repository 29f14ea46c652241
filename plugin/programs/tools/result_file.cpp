#include "result_file.h"

#include <elasto/scene/input_file.h>

#include "csv.h"
#include "mat_file.h"

namespace elasto::tools {

Trajectory readResult(const std::filesystem::path& file) {
    return parseResult(readFile(file), file);
}

Trajectory parseResult(std::string_view text, const std::filesystem::path& file) {
    return isMat(text) ? readMat(file) : parseCsv(text, file.string());
}

}  // namespace elasto::tools
