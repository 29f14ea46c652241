#pragma once
// Random worlds as lists of plain numbers: what a seed makes, what a failing one is shrunk by, and what is printed of
// it.

#include <elasto/flow.h>
#include <Eigen/Geometry>

#include <string>
#include <vector>

namespace elasto::fuzz {

enum class BodyShape { Box, Sphere, Capsule };
inline constexpr int kBodyShapes = 3;

struct BodyRecipe {
    BodyShape shape = BodyShape::Box;
    double size = 0.1;  ///< half of a box's side, radius of others [m]
    double mass = 1;    ///< [kg]
    bool isKinematic = false;
    Eigen::Vector3d position = Eigen::Vector3d::Zero();
    Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();
    Eigen::Vector3d velocity = Eigen::Vector3d::Zero();
    Eigen::Vector3d angularVelocity = Eigen::Vector3d::Zero();
    Eigen::Vector3d linearFactor = Eigen::Vector3d::Ones();
    Eigen::Vector3d angularFactor = Eigen::Vector3d::Ones();
};

enum class JointKind { Ball, Hinge, Slider, Fixed, ConeTwist, SixDof, SixDofSpring, SixDofSpring2, Universal, Hinge2 };
inline constexpr int kJointKinds = 10;

/// A joint that fits where its bodies are at the start.
struct JointRecipe {
    JointKind kind = JointKind::Ball;
    int a = kWorld;                                             ///< or a body
    int b = 0;                                                  ///< never the world
    Eigen::Vector3d point = Eigen::Vector3d::Zero();            ///< of the world
    Eigen::Quaterniond frame = Eigen::Quaterniond::Identity();  ///< of the world
    bool isLimited = false;
    double low = 0, high = 0;  ///< of the limit: rad, or m for a slider
    bool hasMotor = false;
    double rate = 0;     ///< of the motor [rad/s, m/s]
    double impulse = 0;  ///< its greatest one per second [N.m, N]
};

enum class ElementKind { Gap, Backlash, Series, SpringDamper, RotationalSpringDamper };
inline constexpr int kElementKinds = 5;

/// An element on a body and another one, or the world.
struct ElementRecipe {
    ElementKind kind = ElementKind::Gap;
    int a = kWorld;
    int b = 0;                                         ///< never the world
    Eigen::Vector3d pointA = Eigen::Vector3d::Zero();  ///< of the world
    Eigen::Vector3d pointB = Eigen::Vector3d::Zero();  ///< of the world
    Eigen::Quaterniond frame = Eigen::Quaterniond::Identity();
    double c = 1, d = 0;
    double n = 1, s_ref = 1;
    double play = 0;
    double offset = 0;       ///< s_rel0, phi_rel0 or s_unstretched, beside what it measures at the start
    int characteristic = 0;  ///< of the law's
};

enum class LinkKind { Revolute, Prismatic, Spherical, Fixed };

/// A bar along x of its own frame.
struct LinkRecipe {
    LinkKind kind = LinkKind::Revolute;
    int parent = -1;  ///< an earlier link, or the base
    double mass = 1;
    double length = 0.3;
    Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();
    double q = 0, rate = 0;
};

/// What acts on a joint coordinate of a multibody.
struct JointElementRecipe {
    int link = 0;
    bool isDrive = false;
    double inertia = 1e-3, ratio = 10;  ///< of a drive
    ElementRecipe law;                  ///< its numbers only
};

struct MultiBodyRecipe {
    bool isFixed = true;
    double baseMass = 1;
    std::vector<LinkRecipe> links;
    std::vector<JointElementRecipe> elements;
    /// Rigid bodies that a ball joint holds to a link of it (-1: the base), at that link's centre.
    std::vector<std::pair<int, int>> carried;
};

struct WorldRecipe {
    double hz = 60;
    int ticks = 60;
    double gravity = 9.81;
    bool hasFloor = false;
    std::vector<BodyRecipe> bodies;
    std::vector<JointRecipe> joints;
    std::vector<ElementRecipe> elements;
    std::vector<MultiBodyRecipe> multiBodies;

    /// True if nothing but gravity works on it: no motor and no spring of a joint, no kinematic body, no body that
    /// spins whatever pulls at it.
    bool isClosed() const;
    bool hasLockedSpin() const;
    /// By body: true if elements act on it, or on what joints tie it to. Without contacts the others are Bullet's
    /// alone.
    std::vector<bool> bodiesWithElements() const;
};

/// What a world may hold.
struct WorldMix {
    bool contacts = true;
    bool motors = true;
    bool kinematic = true;
    bool lockedAxes = true;
    bool multiBodies = true;

    /// Of 'contacts', 'motors', 'kinematic', 'locked' and 'multibodies', separated by commas; or 'all', 'none'.
    /// @throws std::invalid_argument naming what it does not know
    static WorldMix parse(const std::string& text);
};

WorldRecipe makeWorldRecipe(unsigned long seed, const WorldMix& mix);

/// A line for each thing in it.
std::string textOf(const WorldRecipe& recipe);

/// Recipes with one thing less, or one thing simpler; each is worth a try when the recipe fails.
std::vector<WorldRecipe> simplerOnes(const WorldRecipe& recipe);

}  // namespace elasto::fuzz
