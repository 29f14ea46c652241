#include "json_output.h"

#include <fmt/format.h>

namespace elasto::tools {

void printJson(const Json& json) {
    fmt::print("{}\n", json.dump(2));
}

}  // namespace elasto::tools
