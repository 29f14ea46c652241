// Random machines against CVODE, finer ticks and laws of nature: elasto-differential-double --help.

#include <accuracy_option.h>
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <fstream>
#include <string>

#include "campaign.h"
#include "run_scene.h"

using namespace elasto;
using namespace elasto::differential;

namespace {

/// What the file says of this precision: lines of a name and a number, and comments from # on.
int allowedOf(const std::string& file) {
    std::ifstream in(file);
    std::string line;
    while (std::getline(in, line)) {
        const std::string text = line.substr(0, line.find('#'));
        const std::size_t blank = text.find(' ');
        if (blank != std::string::npos && text.substr(0, blank) == precisionHere())
            return std::stoi(text.substr(blank));
    }
    throw CLI::ValidationError("--known", "'" + file + "' has no number for " + precisionHere());
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app{
        "Random machines, each at a random rate, against CVODE where it solves them, against themselves at 4000 Hz "
        "elsewhere, and against what must hold for all.\n"
        "Exit code: 0 if no more are wrong in silence (or broken) than --allowed; 1 if more; 2 for a wrong command; 3 "
        "if "
        "a file cannot be written."};
    CampaignOptions options;
    std::string repeated;
    std::string known;
    int allowed = 0;
    app.add_option("--seed", options.seed, "the machines' seed")->capture_default_str();
    app.add_option("--scenes", options.scenes, "how many machines, families by turns (100 unless --minutes is given)")
        ->check(CLI::PositiveNumber);
    app.add_option("--minutes", options.minutes, "begin no machine later")->check(CLI::PositiveNumber);
    app.add_option("--hz", options.rates, "rates to choose from, separated by commas (any of 30 to 2000)")
        ->delimiter(',')
        ->check(CLI::Range(30, 2000));
    app.add_option("--family", options.only, "families to choose from, separated by commas (all)")->delimiter(',');
    app.add_option("--jobs", options.jobs, "processes side by side")->capture_default_str()->check(CLI::Range(1, 256));
    app.add_option("--audit", options.asked.audit.every, "one tick of a network in so many is audited; 1: all")
        ->capture_default_str()
        ->check(CLI::NonNegativeNumber);
    tools::addAccuracy(app, options.asked.accuracy);
    app.add_flag("--silent-only", options.countsSilentOnly,
                 "do not ask whether machines are chaotic that say that they are not exact: sooner, and as many are "
                 "wrong in silence");
    app.add_flag("--shrink", options.isShrunk, "look for a smaller machine that is wrong in the same way");
    app.add_option("--keep", options.keep, "folder for the scenes that are wrong");
    app.add_option("--repeat", repeated, "one machine, such as chain:1:17: writes its scene, says what is wrong");
    auto* const allow = app.add_option("--allowed", allowed, "how many may be wrong in silence")->capture_default_str();
    app.add_option("--known", known, "file that says how many may be wrong in silence")->excludes(allow);
    try {
        app.parse(argc, argv);
        for (const std::string& name : options.only) Identity::parse(name + ":0:0");
        if (!known.empty()) allowed = allowedOf(known);
        if (!options.scenes && !options.minutes) options.scenes = 100;
        options.command = argv[0];
        for (std::size_t i = 0; i < options.rates.size(); ++i) {
            options.command += (i == 0 ? " --hz " : ",") + std::to_string(options.rates[i]);
        }
        if (options.asked.accuracy.method() != Accuracy::Method::Exact) {
            options.command +=
                options.asked.accuracy == Accuracy::Implicit ? " --accuracy implicit" : " --accuracy uncoupled";
        } else if (options.asked.accuracy != Accuracy::Exact) {
            options.command += fmt::format(" --accuracy {:g}", options.asked.accuracy.metres());
        }
        if (!repeated.empty()) return repeat(Identity::parse(repeated), options);
        const int wrong = runCampaign(options);
        if (wrong > allowed) {
            fmt::print("{} are wrong in silence or broken; {} are known\n", wrong, allowed);
            return 1;
        }
        if (wrong < allowed) fmt::print("{} are wrong in silence; {} were known: say so there\n", wrong, allowed);
        return 0;
    } catch (const CLI::ParseError& error) {
        const int code = app.exit(error);
        return code == 0 ? 0 : 2;
    } catch (const std::invalid_argument& error) {
        fmt::print(stderr, "{}: {}\n", argv[0], error.what());
        return 2;
    } catch (const std::exception& error) {
        fmt::print(stderr, "{}: {}\n", argv[0], error.what());
        return 3;
    }
}
