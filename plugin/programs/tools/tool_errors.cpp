#include "tool_errors.h"

#include <system_error>

namespace elasto::tools {

std::string ioMessage(const std::string& what, const std::string& file, int error) {
    return "cannot " + what + " '" + file + "': " + std::generic_category().message(error);
}

}  // namespace elasto::tools
