#include "gallery/moment.h"

namespace elasto::gallery {

void readMoment(const play::Session& session, double phase, Moment& moment) {
    const bool isInside = phase < 1 && session.tick() > 0;
    const SceneSample inside = isInside ? session.inside(phase * session.tickLength()) : SceneSample();
    const SceneSample& sample = isInside ? inside : session.sample();
    moment.time = sample.time;
    moment.bodies.resize(sample.bodies.size());
    for (std::size_t i = 0; i < sample.bodies.size(); ++i) {
        moment.bodies[i] = {.position = sample.bodies[i].position, .orientation = sample.bodies[i].orientation};
    }
    moment.elements.resize(sample.elements.size());
    for (std::size_t i = 0; i < sample.elements.size(); ++i) {
        const ElementSample& element = sample.elements[i];
        moment.elements[i] = {.sample = element,
                              .shownForce = isInside ? element.force.f : element.meanForce,
                              .isEnabled = session.isEnabled(static_cast<int>(i))};
    }
}

void readPoses(const play::History& history, long tick, std::vector<BodyPose>& poses) {
    poses.resize(history.bodies());
    for (std::size_t i = 0; i < poses.size(); ++i) {
        const play::Pose& pose = history.pose(tick, i);
        poses[i] = {.position = pose.position.cast<double>(), .orientation = pose.orientation.cast<double>()};
    }
}

}  // namespace elasto::gallery
