// elasto-gallery: demos of Modelica's elements in Bullet that one plays with.

#include "exit_codes.h"
#include "gallery/demo.h"
#include "gallery/headless.h"
#include "gallery/options.h"
#include "gallery/window_loop.h"
#include "panels/key_table.h"
#include "play/recording.h"
#include "print.h"
#include "tool_errors.h"
#include "view/error.h"

#include <elasto/robot/load_robot.h>
#include <elasto/scene/load_scene.h>
#include <elasto/scene/output_file.h>

#include <fmt/format.h>

namespace {

using namespace elasto;
using gallery::Options;

std::string listOfDemos() {
    std::string list;
    for (const gallery::Demo& demo : gallery::demos()) list += fmt::format("{:<20} {}\n", demo.name, demo.title);
    return list;
}

/// @throws FileError if standard output takes no more
int print(const std::string& text) {
    OutputFile output("-");
    output.write(text);
    output.commit();
    return tools::kOk;
}

int run(const Options& options) {
    switch (options.mode) {
        case Options::Mode::List:
            return print(listOfDemos());
        case Options::Mode::Keys:
            return print(panels::keysAsMarkdown());
        case Options::Mode::Headless:
            return gallery::runHeadless(options);
        case Options::Mode::Window:
            break;
    }
    return gallery::runWindow(options);
}

int say(const std::exception& error, int code) {
    tools::printTo(stderr, fmt::format("elasto-gallery: {}\n", error.what()));
    return code;
}

}  // namespace

int main(int argc, char** argv) {
    const gallery::ParsedOptions parsed = gallery::parseOptions(argc, argv);
    if (!parsed.options) return parsed.exitCode;
    try {
        return run(*parsed.options);
    } catch (const view::PictureFileError& error) {
        return say(error, tools::kIoError);
    } catch (const view::GraphicsError& error) {
        return say(error, tools::kFailed);
    } catch (const tools::IoError& error) {
        return say(error, tools::kIoError);
    } catch (const FileError& error) {
        return say(error, tools::kIoError);
    } catch (const std::invalid_argument& error) {
        return say(error, tools::kBadInput);
    } catch (const RobotError& error) {
        return say(error, tools::kBadInput);
    } catch (const tools::InputError& error) {
        return say(error, tools::kBadInput);
    } catch (const play::RecordingError& error) {
        return say(error, tools::kBadInput);
    } catch (const SceneError& error) {
        return say(error, tools::kBadInput);
    } catch (const std::exception& error) {
        return say(error, tools::kFailed);
    }
}
