#include "shader_source.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <sstream>

#include "view/error.h"

namespace elasto::view {

namespace {

void append(const std::filesystem::path& folder, const std::string& file, ShaderSource& source) {
    if (std::find(source.files.begin(), source.files.end(), file) != source.files.end()) return;
    const std::size_t number = source.files.size();
    source.files.push_back(file);
    std::ifstream stream(folder / file);
    if (!stream) throw GraphicsError("cannot read the shader '" + (folder / file).string() + "'");

    const auto countFrom = [&](int line) {
        source.text += "#line " + std::to_string(line) + ' ' + std::to_string(number) + '\n';
    };
    constexpr const char* kInclude = "#include \"";
    countFrom(1);
    int line = 0;
    for (std::string text; std::getline(stream, text);) {
        ++line;
        if (text.rfind(kInclude, 0) != 0) {
            source.text += text + '\n';
            continue;
        }
        const std::size_t first = std::string(kInclude).size();
        append(folder, text.substr(first, text.find('"', first) - first), source);
        countFrom(line + 1);
    }
}

}  // namespace

std::string ShaderSource::named(const std::string& message) const {
    // Compilers begin with "0:12(3): error" or "0(12) : error".
    std::istringstream lines(message);
    std::string result;
    for (std::string line; std::getline(lines, line);) {
        std::size_t digits = 0;
        while (digits < line.size() && std::isdigit(static_cast<unsigned char>(line[digits])) != 0) ++digits;
        if (digits > 0 && digits < 4 && digits < line.size() && (line[digits] == ':' || line[digits] == '(')) {
            const auto number = static_cast<std::size_t>(std::stoi(line.substr(0, digits)));
            if (number < files.size()) line = files[number] + line.substr(digits);
        }
        if (!result.empty()) result += '\n';
        result += line;
    }
    return result;
}

ShaderSource readShader(const std::filesystem::path& folder, const std::string& file) {
    ShaderSource source;
    append(folder, file, source);
    return source;
}

}  // namespace elasto::view
