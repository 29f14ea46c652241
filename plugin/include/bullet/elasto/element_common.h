#pragma once
/// @file element_common.h
/// What all elements have in common, whatever bodies they sit on.

#include <elasto/audit_settings.h>
#include <elasto/export.h>
#include <elasto/flow.h>
#include <elasto/flow_load.h>
#include <elasto/heat_port.h>
#include <elasto/precision.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// Contact of an element begins or ends.
struct ContactInfo {
    double time = 0;   ///< [s] from the start of the tick just solved
    double speed = 0;  ///< |v_rel| at that time [m/s, rad/s]: the approach speed where contact begins
};

/// What an element shows at one instant. Signs and Modelica IDs as in ForceElement.
struct Readout {
    double s_rel = 0;            ///< s_rel, s or phi_rel [m, rad]
    double v_rel = 0;            ///< v_rel or w_rel [m/s, rad/s]
    double s_damper = 0;         ///< inner state [m, rad]
    ForceTerms force;            ///< f, f_c, f_d, f_d2 [N, N.m], contact
    double lossPower = 0;        ///< [W]
    double dissipatedPower = 0;  ///< [W]
    double storedEnergy = 0;     ///< [J]
};

/// Name, law, heat and the last tick's results: base of ForceElement and of MultiBodyElement.
class ELASTO_API ElementCommon {
public:
    virtual ~ElementCommon() = default;
    ElementCommon(const ElementCommon&) = delete;
    ElementCommon& operator=(const ElementCommon&) = delete;

    // --- Name ---
    /// Any text; it need not be unique. Messages name it, and of elements that are alike it decides the order.
    void setName(std::string name) { extras().name = std::move(name); }
    const std::string& name() const { return extras().name; }  ///< empty at first
    virtual const char* typeName() const = 0;                  ///< Modelica's name of the type, e.g. "ElastoGap"
    std::string label() const;  ///< for messages: ElastoGap 'stop', or ElastoGap where it has no name

    // --- Budget ---
    /// Networks with an element of higher priority are solved first where the world's budget ends
    /// (Plugin::worldBudget). Any number; 0 at first. It does not change what is solved within the budget.
    void setPriority(int priority) { m_priority = priority; }
    int priority() const { return m_priority; }  ///< as set
    /// How exact the element's network is to be; nullopt (at first): as the world's settings say. A network is solved
    /// as the most demanding of its elements asks for.
    void setAccuracy(std::optional<Accuracy> accuracy) { m_accuracy = accuracy; }
    std::optional<Accuracy> accuracy() const { return m_accuracy; }  ///< as set

    const Law& law() const { return m_law; }  ///< the law with its present parameters
    /// Inner state [m, rad]: s_damper of a SpringDamperSeries, s_slip of a Bushing; 0 of others.
    double s_damper() const { return m_damperLength; }
    /// Sets the inner state between ticks [m, rad], and wakes bodies that sleep. @throws InvalidParameter unless finite
    void setS_damper(double s_damper);

    // --- Friction ---
    /// Share of a Friction's force as a function of the Plugin's time: a brake's or clutch's normal force over its
    /// largest (Modelica's f_normalized); less than 0 counts as 0. Inside a tick it acts as what it is, as a Load does.
    /// Other laws do not use it. An empty function, as at first, is 1 always.
    /// @param value must return finite values, the same for the same time, also where several threads ask
    /// @param nextBreak where it jumps or has a kink (see Load)
    void setF_normalized(std::function<double(double t)> value, NextBreak nextBreak = {});

    // --- Readouts of the last tick ---
    double impulse() const { return m_impulse; }  ///< integral of f over the tick [N.s, N.m.s]
    double meanForce() const { return m_tick > 0 ? m_impulse / m_tick : 0; }  ///< mean of f over the tick [N, N.m]
    double heat() const { return m_heat; }                                    ///< energy dissipated since the start [J]
    FlowMethod method() const { return m_method; }                            ///< how the tick was solved
    TickGrade grade() const { return m_grade; }                               ///< how good the tick of its network was
    double tickLength() const { return m_tick; }                              ///< [s]; 0 before the first tick

    // --- Heat ---
    /// Sends the element's heat to a port, which any number of elements may share; nullptr: to none.
    void setHeatPort(std::shared_ptr<HeatPort> port) { extras().heatPort = std::move(port); }
    const std::shared_ptr<HeatPort>& heatPort() const { return extras().heatPort; }  ///< null: none
    /// T without a heat port [K]; 293.15 K. @throws InvalidParameter unless finite and > 0
    void setT(double T);
    double TheatPort() const;  ///< TheatPort: temperature of the port, or T without one [K]

protected:
    /// An element with this law, without name and heat port; its inner state is innerStart().
    explicit ElementCommon(Law law);
    /// Changes the law; what it may be is for derived classes to check.
    void setLaw(Law law) {
        m_law = std::move(law);
        wakeBodies();
    }
    /// Something else acts on its bodies from now on: those that sleep wake.
    virtual void wakeBodies() = 0;

private:
    friend class ElementAccess;  // the solver's side: see plugin/bullet/element_access.h
    friend class ForceElement;
    friend class MultiBodyElement;

    // Ticks of elements alone take what stands first, here and in ForceElement, and little else.

    // State (see ElementState, MultiBodyElementState).
    double m_damperLength = 0;
    double m_heat = 0;
    double m_storedEnergy = 0;
    double m_impulse = 0;
    double m_tick = 0;
    FlowMethod m_method = FlowMethod::Free;
    ImplicitPause m_pause;
    TickGrade m_grade;
    AuditState m_audit;

    // The plugin's notes.
    bool m_isExpected = false;  // our own solver is about to ask for rows
    bool m_hasWarned = false;
    bool m_saidShort = false;        // that its line was shorter than s_small
    std::uint16_t m_saidCauses = 0;  // by bits: GradeCauses that the user was told of
    int m_inexactTicks = 0;

    int m_priority = 0;
    std::optional<Accuracy> m_accuracy;
    Law m_law;

    // What most of many elements do without.
    struct Extras {
        std::string name;
        std::shared_ptr<HeatPort> heatPort;
        double temperature = 293.15;
        std::function<double(double t)> f_normalized;
        NextBreak nextBreak;
    };
    const Extras& extras() const { return m_extras ? *m_extras : noExtras(); }
    Extras& extras();
    static const Extras& noExtras();
    std::unique_ptr<Extras> m_extras;  // null: as they are from the start
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
