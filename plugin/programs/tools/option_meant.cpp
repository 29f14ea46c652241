#include "option_meant.h"

#include <sstream>
#include <vector>

#include "problems.h"

namespace elasto::tools {

std::string optionMeant(const CLI::App& app, const CLI::Error& error) {
    if (error.get_exit_code() != static_cast<int>(CLI::ExitCodes::ExtrasError)) return {};
    std::vector<std::string> names;
    for (const CLI::Option* option : app.get_options()) {
        for (const std::string& name : option->get_lnames()) {
            if (name != "help") names.push_back("--" + name);  // it is said anyhow
        }
    }
    // The message ends with all that was not expected.
    std::istringstream words(error.what());
    for (std::string word; words >> word;) {
        if (!word.starts_with("--")) continue;
        const std::string near = scene::nearest(word.substr(0, word.find('=')), names);
        if (!near.empty()) return " (did you mean " + near + "?)";
    }
    return {};
}

}  // namespace elasto::tools
