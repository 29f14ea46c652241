#pragma once
/// @file peer.h
/// What is asked of every engine.

#include <elasto/scene/description.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace elasto::peers {

/// The five cases; each has a scene, from which every peer takes its numbers.
enum class CaseKind {
    DroppedMass,  ///< coordinates: height
    Backlash,     ///< angle of the load against the rotor, angle of the load
    Cradle,       ///< positions along the rail
    HingeStop,    ///< angle of the bar
    SlidingBox,   ///< position
};
inline constexpr CaseKind kCases[] = {CaseKind::DroppedMass, CaseKind::Backlash, CaseKind::Cradle, CaseKind::HingeStop,
                                      CaseKind::SlidingBox};
/// As in plan.json, e.g. "dropped_mass".
const char* caseName(CaseKind kind);

/// What an engine itself says about the first contact of a dropped mass, where it knows more than its ticks.
struct ContactReport {
    double begin = 0;      ///< [s]
    double end = 0;        ///< when the force has gone [s]
    double peakForce = 0;  ///< [N]
    double top = 0;        ///< height to which the mass would rise after it [m]
};

/// A case that runs.
class Motion {
public:
    virtual ~Motion() = default;
    /// Goes on to a time. With a fixed tick it must be a tick's end.
    virtual void advance(double time) = 0;
    /// The case's coordinates now.
    virtual std::vector<double> coordinates() = 0;
    /// Rate of the first coordinate now.
    virtual double speed() { return 0; }
    /// See ContactReport; nothing: the engine knows its ticks only, or the contact is not over.
    virtual std::optional<ContactReport> contact() const { return std::nullopt; }
};

/// An engine with one setting of everything but tick rate or accuracy.
class Peer {
public:
    virtual ~Peer() = default;
    virtual std::string name() const = 0;     ///< as in plan.json
    virtual std::string version() const = 0;  ///< of the engine, e.g. "MuJoCo 2.2.2"
    virtual bool hasAccuracy() const { return false; }
    /// @param setting rate [Hz], or accuracy
    /// @param watchesContact it will be asked for its ContactReport; costs time
    virtual std::unique_ptr<Motion> begin(CaseKind kind, const Scene& scene, double setting,
                                          bool watchesContact = false) const = 0;
};

using Peers = std::vector<std::unique_ptr<Peer>>;
void addElasto(Peers& peers);
void addBullet(Peers& peers);
void addMujoco(Peers& peers);   ///< nothing where it was not there at the build
void addSimbody(Peers& peers);  ///< likewise
void addOde(Peers& peers);      ///< likewise

/// c and d of an element of the scene.
struct StiffnessAndDamping {
    double c = 0;  ///< [N/m, N.m/rad]
    double d = 0;  ///< [N.s/m, N.m.s/rad]
};
StiffnessAndDamping numbersOf(const Scene& scene, std::size_t element);
/// The force of the law that all peers get at a depth x [m] and its rate v [m/s], >= 0 [N].
double pushOf(const StiffnessAndDamping& law, double x, double v);
/// Mean of the torque on the rotor of the backlash case over a tick [N.m].
double meanTorque(const Scene& scene, double begin, double end);
/// At one time.
double torqueAt(const Scene& scene, double time);

}  // namespace elasto::peers
