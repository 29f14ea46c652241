#include <elasto/robot/robot_scene.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace elasto {

double RobotFunction::at(double t) const {
    return value * (trajectory ? trajectory->at(column, t - startTime) : factor(t));
}

double RobotFunction::rate(double t) const {
    return value * (trajectory ? trajectory->rate(column, t - startTime) : slope(t));
}

double RobotFunction::nextBreak(double t) const {
    if (!trajectory) return TimeCourse::nextBreak(t);
    const double next = startTime + trajectory->nextBreak(t - startTime);
    return std::max(next,
                    std::nextafter(t, std::numeric_limits<double>::infinity()));  // whatever the sum is rounded to
}

}  // namespace elasto
