#include "accuracy_option.h"

#include <elasto/errors.h>

#include <cstdlib>
#include <string>

namespace elasto::tools {

namespace {

Accuracy accuracyOf(const std::string& text) {
    if (text == "exact") return Accuracy::Exact;
    if (text == "implicit") return Accuracy::Implicit;
    if (text == "uncoupled") return Accuracy::Uncoupled;
    char* end = nullptr;
    const double metres = std::strtod(text.c_str(), &end);
    try {
        if (!text.empty() && *end == '\0') return Accuracy::within(metres);
    } catch (const InvalidParameter&) {  // said below
    }
    throw CLI::ValidationError("--accuracy: '" + text +
                               "' is not allowed; it must be 1e-8 to 1e-2 (metres), exact, implicit or uncoupled");
}

}  // namespace

void addAccuracy(CLI::App& command, Accuracy& accuracy) {
    command
        .add_option_function<std::string>(
            "--accuracy", [&accuracy](const std::string& text) { accuracy = accuracyOf(text); },
            "How exact: a length [m], 1e-8 to 1e-2, or exact (1e-6), implicit, uncoupled")
        ->type_name("LENGTH");
}

}  // namespace elasto::tools
