#include "json_output.h"

#include <fmt/format.h>

namespace elasto::tools {

void printJson(const Json& json) {
    // Names of files and of robots' parts may be no UTF-8, which JSON has to be.
    fmt::print("{}\n", json.dump(2, ' ', false, Json::error_handler_t::replace));
}

}  // namespace elasto::tools
