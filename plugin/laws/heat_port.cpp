#include "checks.h"

#include <elasto/heat_port.h>

namespace elasto {

HeatPort::HeatPort(double conductance, double ambientTemperature)
    : m_conductance(conductance), m_ambientTemperature(ambientTemperature) {
    checks::requirePositive("HeatPort", "conductance", conductance);
    checks::requirePositive("HeatPort", "ambientTemperature", ambientTemperature);
}

void HeatPort::addTick(double heat, double h, double power) {
    checks::requirePositive("HeatPort", "h", h);
    m_energy += heat;
    m_meanPower += heat / h;
    m_power += power;
}

void HeatPort::beginTick() {
    m_power = 0;
    m_meanPower = 0;
}

double HeatPort::temperature() const {
    return m_ambientTemperature + m_power / m_conductance;
}

}  // namespace elasto
