#include "urdfdom_model.h"

#include <console_bridge/console.h>
#include <urdf_parser/urdf_parser.h>

#include <exception>
#include <mutex>

namespace elasto::robot {

namespace {

class Collector : public console_bridge::OutputHandler {
public:
    void log(const std::string& text, console_bridge::LogLevel level, const char*, int) override {
        if (level < console_bridge::CONSOLE_BRIDGE_LOG_ERROR) return;
        std::string line = text;
        for (char& letter : line) letter = letter == '\n' ? ' ' : letter;
        lines.push_back(line);
    }

    std::vector<std::string> lines;
};

}  // namespace

UrdfdomModel parseByUrdfdom(const std::string& text) {
    static std::mutex oneAtATime;
    const std::lock_guard lock(oneAtATime);
    Collector collector;
    console_bridge::OutputHandler* const before = console_bridge::getOutputHandler();
    const console_bridge::LogLevel levelBefore = console_bridge::getLogLevel();
    console_bridge::useOutputHandler(&collector);
    console_bridge::setLogLevel(console_bridge::CONSOLE_BRIDGE_LOG_ERROR);
    UrdfdomModel result;
    try {
        result.model = urdf::parseURDF(text);
    } catch (const std::exception& refused) {
        collector.lines.emplace_back(refused.what());
    }
    console_bridge::useOutputHandler(before);
    console_bridge::setLogLevel(levelBefore);
    result.errors = std::move(collector.lines);
    if (result.model == nullptr && result.errors.empty()) result.errors.emplace_back("no reason given");
    return result;
}

}  // namespace elasto::robot
