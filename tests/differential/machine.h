#pragma once
// A machine: a scene as JSON, and how grammars write it.

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include "draws.h"

namespace elasto::differential {

using Json = nlohmann::ordered_json;
using Eigen::Quaterniond;
using Eigen::Vector3d;

Json listOf(const Vector3d& v);
Json listOf(const Quaterniond& q);
Vector3d vectorOf(const Json& list);
Quaterniond quaternionOf(const Json& list);

/// An end of an element or joint. @param position in the body's frame; of the world for `world` [m]
Json endOf(const std::string& body, const Vector3d& position = Vector3d::Zero());
/// The same with axes of its own.
Json endOf(const std::string& body, const Vector3d& position, const Quaterniond& orientation);

/// Principal moments of solid bodies [kg.m2].
Vector3d inertiaOfBox(double mass, const Vector3d& size);
Vector3d inertiaOfBall(double mass, double radius);
/// A disc about z.
Vector3d inertiaOfDisc(double mass, double radius, double width);

/// Writes a scene. References that it returns are good until the next thing of the same kind is added.
class Machine {
public:
    Machine();

    Json& scene() { return m_scene; }
    const Json& scene() const { return m_scene; }

    void setGravity(const Vector3d& gravity) { m_scene["gravity"] = listOf(gravity); }
    Json& addBody(const std::string& name, double mass, const Vector3d& inertia, const Vector3d& position);
    /// That nothing moves.
    Json& addFixed(const std::string& name, const Vector3d& position);
    Json& addJoint(const std::string& name, const std::string& type, const Json& a, const Json& b);
    /// @param geometry "axis", "line" or "rotation"
    Json& addElement(const std::string& name, const std::string& type, const std::string& geometry, const Json& a,
                     const Json& b);
    /// @param quantity "force" or "torque"
    Json& addLoad(const std::string& name, const std::string& body, const std::string& quantity,
                  const Vector3d& vector);

private:
    Json m_scene;
};

/// Turns the whole scene about the world's origin: physics does not know where x is. Machines with locked axes of the
/// world stay as they are.
void turn(Json& scene, const Quaterniond& by);

}  // namespace elasto::differential
