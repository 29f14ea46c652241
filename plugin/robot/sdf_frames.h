#pragma once
/// @file sdf_frames.h
/// The frames of an SDF file: models, links, joints and `<frame>`s, each placed in another one.

#include "xml_file.h"

#include <elasto/robot/description.h>

#include <map>
#include <string>

namespace elasto::robot {

/// The full name of the world: none that a file can give.
inline constexpr const char* kSdfWorld = "/world";

/// A frame by its full name ("arm::wrist"), the model's own as "arm::__model__".
struct SdfFrame {
    std::string parent;     ///< full name of the frame that `pose` is given in; empty: it is the world
    RobotPose pose;         ///< in `parent`
    bool isNamed = false;   ///< the file names `parent`; that it does not exist is a mistake
    std::string placement;  ///< a model's: the frame that `pose` places, instead of the model's own; empty: its own
    std::string attached;   ///< full name of what it moves with; a link's is empty
    XmlFile* file = nullptr;
    int line = 0;
};

/// All frames of a file and what it includes.
class SdfFrames {
public:
    SdfFrames() { m_frames[kSdfWorld]; }

    /// @return false: there is one of this name
    bool add(const std::string& name, SdfFrame frame) { return m_frames.emplace(name, std::move(frame)).second; }
    bool has(const std::string& name) const { return m_frames.contains(name); }
    /// Pose in the world. A frame that is placed in itself or in one that does not exist is a problem, said once.
    RobotPose inWorld(const std::string& name);
    /// The link that a frame moves with; kSdfWorld, or empty if there is none.
    std::string linkOf(std::string name) const;

private:
    RobotPose placeOf(const std::string& name, const std::string& stop, int depth);
    void problem(const SdfFrame& frame, const std::string& name, const std::string& message);

    std::map<std::string, SdfFrame> m_frames;
    std::map<std::string, RobotPose> m_placements;  ///< model frames in those that place them
    std::map<std::string, bool> m_isSaid;
};

}  // namespace elasto::robot
