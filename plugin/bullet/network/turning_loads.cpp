#include "network/turning_loads.h"

#include "network/load_table.h"
#include "network/solved_network.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

void addPieces(const std::vector<LoadPiece>& pieces, std::size_t index, FlowNetwork& network) {
    FlowBody& body = network.bodies[index];
    for (std::size_t k = 1; k < pieces.size(); ++k) {
        LoadChange change{pieces[k].start, static_cast<int>(index), pieces[k].force(), pieces[k].torque()};
        change.force += body.force;
        change.torque += body.torque;
        insertByTime(change, network.changes);
    }
    body.force += pieces.front().force();
    body.torque += pieces.front().torque();
}

bool turnLoads(SolvedNetwork& solved) {
    FlowNetwork& network = solved.network;
    bool isAny = false;
    for (const TurningLoad& load : solved.turningLoads) {
        FlowBody& body = network.bodies[load.body];
        const BodyState& end = solved.result.bodies[load.body];
        if (body.angularVelocity.isZero(0) && end.angularVelocity.isZero(0)) continue;
        isAny = true;
        std::erase_if(network.changes,
                      [&](const LoadChange& change) { return static_cast<std::size_t>(change.body) == load.body; });
        body.force = load.force;
        body.torque = load.torque;
        addPieces(turnWith(RotationPath(body, end, solved.h), load.fixed, load.attached, solved.h), load.body, network);
    }
    return isAny;
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
