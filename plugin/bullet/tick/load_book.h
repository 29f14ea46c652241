#pragma once
// The user's loads, and what they are in a tick.

#include <functional>
#include <memory>
#include <vector>

#include "network/load_table.h"
#include "tick/call_tape.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

class LoadBook {
public:
    /// Changed by change() only.
    std::vector<std::shared_ptr<const Load>> loads;
    std::vector<std::shared_ptr<const JointLoad>> jointLoads;
    /// Where loads' answers are noted; null: nowhere.
    std::shared_ptr<CallTape> tape;

    bool isEmpty() const { return loads.empty() && jointLoads.empty(); }

    /// Asks all loads for a tick. From here to makeChanges() they may be asked. @throws InvalidParameter
    void begin(const TickTime& time);
    /// @throws InvalidParameter unless the loads of the tick are numbers
    void requireFinite() const;
    /// Takes out those that cannot be asked, or are no numbers, in this tick.
    void takeOutRefused(const TickTime& time);
    /// At once, or when no load is being asked any more: what changes them may be one of them.
    void change(std::function<void()> change);
    void makeChanges();

    const LoadTable& ofTick() const { return m_ofTick; }
    /// Whether a body that is in the world has a load in this tick.
    bool isLoaded(const btRigidBody& body) const;
    /// Wakes bodies whose loads change in the next tick, from t on.
    void wakeForNext(double t, double h);

private:
    /// The loads, as they are asked.
    const std::vector<std::shared_ptr<const Load>>& asked();
    const std::vector<std::shared_ptr<const JointLoad>>& askedOfJoints();
    void findLoadedBodies();

    std::vector<std::shared_ptr<const Load>> m_noted;  // of loads, where there is a tape
    std::vector<std::shared_ptr<const JointLoad>> m_notedOfJoints;
    LoadTable m_ofTick;
    LoadTable m_ofNext;            // as far as is known
    std::vector<char> m_isLoaded;  // by place in the world; empty where there are none
    bool m_asks = false;           // now and then in this part of the tick
    std::vector<std::function<void()>> m_changes;
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
