#include "coupling_law.h"

namespace elasto::robot {

SpringDamperLaw couplingLaw(const RobotMimic& mimic, double follower, double leader) {
    constexpr double kAngularFrequency = 2 * 3.141592653589793 * 1000;  // [rad/s], as the header says
    // A force on the coordinate moves both: what resists it is less than either.
    const double mass = 1 / (1 / follower + mimic.multiplier * mimic.multiplier / leader);
    return SpringDamperLaw(
        {.c = mass * kAngularFrequency * kAngularFrequency, .d = 2 * mass * kAngularFrequency, .s_rel0 = mimic.offset});
}

}  // namespace elasto::robot
