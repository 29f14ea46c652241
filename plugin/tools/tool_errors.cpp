#include "tool_errors.h"

#include <elasto/scene/input_file.h>

#include <system_error>

namespace elasto::tools {

std::string ioMessage(const std::string& what, const std::string& file, int error) {
    return ioMessage(what, file, std::generic_category().message(error));
}

std::string ioMessage(const std::string& what, const std::string& file, const std::string& reason) {
    return "cannot " + what + " '" + file + "': " + reason;
}

std::string readInput(const std::filesystem::path& file) {
    std::string problem;
    std::string text = readFile(file, problem);
    if (!problem.empty()) throw IoError(ioMessage("read", file.string(), problem));
    return text;
}

}  // namespace elasto::tools
