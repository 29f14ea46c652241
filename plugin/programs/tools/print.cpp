#include "print.h"

#include <elasto/scene/printable.h>

namespace elasto::tools {

void printTo(std::FILE* stream, const std::string& text) {
    const std::string shown = printable(text);
    // Whoever reads no messages gets none; a result that is lost must not look like a success.
    if (stream == stderr) {
        std::fwrite(shown.data(), 1, shown.size(), stream);
    } else {
        fmt::print(stream, "{}", shown);
    }
}

}  // namespace elasto::tools
