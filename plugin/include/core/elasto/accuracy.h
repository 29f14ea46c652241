#pragma once
/// @file accuracy.h
/// How exact a motion is asked to be.

#include <elasto/export.h>

#include <compare>

namespace elasto {

/// How networks are solved: a length, or one of the names at its ends. A game's level of detail.
///
/// A length says by how much places may be off in the end (an angle by as many radians). Integrators keep their
/// tolerances in its proportion; what cannot be solved so exactly is graded as approximate (TickGrade), not loosened.
/// `accuracy.md` has what campaigns measured: 99 of 100 random machines whose ticks were all exact kept Exact, and
/// what it costs. Errors of a start grow as the machine lets them: where neighbours part quickly none is small for
/// long.
class ELASTO_API Accuracy {
public:
    /// In which way networks with contacts are solved.
    enum class Method : unsigned char {
        Exact,      ///< as their bodies move between the changes of what touches, as long as that is within its budget
        Implicit,   ///< by the implicit step at once: cheaper where much touches, rebounds to some percent
        Uncoupled,  ///< in a world: by Bullet, elements act with the impulse that free bodies had; where there are
                    ///< multibodies, and in the flow itself: as Implicit
    };

    static const Accuracy Exact;      ///< within 1e-6 m: the default
    static const Accuracy Implicit;   ///< Method::Implicit for what has contacts, else Exact
    static const Accuracy Uncoupled;  ///< Method::Uncoupled for what has contacts, else Exact

    /// Exact.
    constexpr Accuracy() = default;
    /// Method::Exact with this length. @param metres 1e-8 ... 1e-2 [m, rad]
    /// @throws InvalidParameter for another one
    static Accuracy within(double metres);

    constexpr Method method() const { return m_method; }                    ///< for what has contacts
    constexpr double metres() const { return m_metres; }                    ///< [m, rad]
    constexpr double looseness() const { return m_metres / kExactMetres; }  ///< of the length, over that of Exact

    /// Less is more exact: by the method, then by the length.
    constexpr auto operator<=>(const Accuracy&) const = default;
    constexpr bool operator==(const Accuracy&) const = default;  ///< equal where both are

private:
    static constexpr double kExactMetres = 1e-6;
    explicit constexpr Accuracy(Method method) : m_method(method) {}

    Method m_method = Method::Exact;
    double m_metres = kExactMetres;
};

inline constexpr Accuracy Accuracy::Exact{Method::Exact};
inline constexpr Accuracy Accuracy::Implicit{Method::Implicit};
inline constexpr Accuracy Accuracy::Uncoupled{Method::Uncoupled};

}  // namespace elasto
