#include "link_inertial.h"

#include "principal_inertia.h"

namespace elasto::robot {

void setInertial(LinkPart& part, double mass, const RobotPose& place, const Eigen::Matrix3d& tensor,
                 const tinyxml2::XMLElement& at) {
    const PrincipalInertia principal = principalInertia(tensor);
    RobotLink& link = part.link;
    link.mass = mass;
    part.inertiaLine = at.GetLineNum();
    link.principalFrame = place * RobotPose{Eigen::Vector3d::Zero(), principal.orientation};
    if (isNegative(principal.moments)) {
        part.file->warnOnce("negative moments", at, [&] {
            return "link \"" + link.name + "\": a principal moment is negative, as that of no body; left out";
        });
        return;
    }
    link.principalMoments = principal.moments.cwiseMax(0);
    part.hasInertial = mass > 0 && link.principalMoments.maxCoeff() > 0;
    const std::string impossible = impossibleMoments(principal.moments);
    if (impossible.empty()) return;
    part.file->warnOnce("impossible moments", at, [&] { return "link \"" + link.name + "\": " + impossible; });
}

}  // namespace elasto::robot
