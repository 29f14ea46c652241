#pragma once
/// @file heat_port.h
/// Where the heat of dampers goes.

#include <elasto/export.h>

namespace elasto {

/// Collects the heat of any set of elements and gives it off by convection, as Modelica's HeatLosses examples do:
///
///     power = sum of the elements' dissipated power
///     G (T - T_ambient) = power      (a convection element has no heat capacity)
///
/// so the port's temperature is T_ambient + power / G. An element without a port keeps its own T (293.15 K).
class ELASTO_API HeatPort {
public:
    /// @param conductance G [W/K], > 0; @param ambientTemperature [K], > 0
    /// @throws InvalidParameter naming the field
    explicit HeatPort(double conductance = 20, double ambientTemperature = 298.15);

    /// Called once per tick by whoever solves it: @param heat [J] of the tick, h [s] the tick, power [W] at its end.
    void addTick(double heat, double h, double power);
    /// Begins a tick: clears what the last one added to power() and meanPower().
    void beginTick();

    double power() const { return m_power; }                            ///< at the end of the last tick [W]
    double meanPower() const { return m_meanPower; }                    ///< mean over the last tick [W]
    double energy() const { return m_energy; }                          ///< since the start [J]
    double temperature() const;                                         ///< T_ambient + power / G [K]
    double conductance() const { return m_conductance; }                ///< G [W/K]
    double ambientTemperature() const { return m_ambientTemperature; }  ///< T_ambient [K]

private:
    double m_conductance;
    double m_ambientTemperature;
    double m_power = 0;
    double m_meanPower = 0;
    double m_energy = 0;
};

}  // namespace elasto
