#include <fmt/format.h>

#include <memory>
#include <string>

#include "characteristics.h"
#include "commands.h"
#include "draw.h"
#include "exit_codes.h"
#include "options.h"

namespace elasto::tools {

namespace {

struct FigureOptions {
    std::string subject;
    std::string output;
    bool keepScript = false;
};

int figure(const FigureOptions& options) {
    draw(options.subject == "elastogap" ? elastoGapPicture() : elastoBacklashPicture(), options.output,
         options.keepScript);
    return kOk;
}

}  // namespace

void addFigureCommand(CLI::App& app, Action& action) {
    auto options = std::make_shared<FigureOptions>();
    CLI::App* command = app.add_subcommand("figure", "Draw a comparison of characteristics");
    command->add_option("SUBJECT", options->subject, "elastogap or elastobacklash")
        ->required()
        ->check(CLI::Validator(
            [](std::string& text) {
                return text == "elastogap" || text == "elastobacklash"
                           ? std::string()
                           : fmt::format("'{}' is not allowed; it must be elastogap or elastobacklash", text);
            },
            ""));
    command->add_option("-o,--output", options->output, "Picture to write, .svg or .png")
        ->required()
        ->check(pictureFile());
    command->add_flag("--keep-script", options->keepScript, "Also write the gnuplot script as <picture>.gp");
    command->footer(
        "elastogap: force and position of a mass that hits a gap, for the four force laws that Modelica's\n"
        "documentation discusses. elastobacklash: torque and angle of an inertia within a play, for its three.\n"
        "Needs gnuplot (Debian: gnuplot-nox).\n"
        "Example: elasto figure elastogap -o elastogap.svg");
    command->callback([options, &action] { action = [options] { return figure(*options); }; });
}

}  // namespace elasto::tools
