#pragma once
/// @file errors.h
/// Errors that Elasto reports.

#include <elasto/export.h>

#include <cstddef>
#include <stdexcept>
#include <string>

namespace elasto {

/// Thrown when a parameter, a frame or a pair of bodies is not acceptable.
///
/// what() names the element or type, the field, the value that was given and what is allowed, e.g.
/// `ElastoGap: n = 0.5 is not allowed; n must be finite and >= 1`.
/// Whatever threw it has changed nothing.
class ELASTO_API InvalidParameter : public std::invalid_argument {
public:
    /// @param owner   the type (or "type 'name'") that was given the parameter
    /// @param field   the field's name as in Modelica, e.g. "s_rel0"
    /// @param value   the refused value
    /// @param allowed the rule, as a phrase that follows "must be"
    InvalidParameter(const std::string& owner, const std::string& field, double value, const std::string& allowed);

    /// @param owner   the type (or "type 'name'") that was given the parameter
    /// @param problem a full sentence that says what is wrong and what to do instead
    InvalidParameter(const std::string& owner, const std::string& problem);

    /// what() without its owner: `n = 0.5 is not allowed; n must be finite and >= 1`.
    const char* problem() const { return what() + m_problem; }

private:
    std::size_t m_problem;  ///< where the problem begins in what()
};

/// Thrown by solveTick: a body, an element, a row of a joint or a contact of the network is not acceptable.
class ELASTO_API InvalidNetwork : public InvalidParameter {
public:
    /// A part of a FlowNetwork.
    enum class Part {
        Body,     ///< of FlowNetwork::bodies
        Element,  ///< of FlowNetwork::elements
        Joint,    ///< a row of FlowNetwork::joints
        Bounded,  ///< a row of FlowNetwork::bounded
        Contact,  ///< of FlowNetwork::contacts
    };

    /// @param index of the body, element, row or contact in the network; the rest as for InvalidParameter
    InvalidNetwork(Part part, int index, const std::string& field, double value, const std::string& allowed);
    /// @param problem a full sentence that says what is wrong; the rest as above
    InvalidNetwork(Part part, int index, const std::string& problem);

    Part part() const { return m_part; }   ///< which list of the network is meant
    int index() const { return m_index; }  ///< place in that list, from 0 on

private:
    Part m_part;
    int m_index;
};

}  // namespace elasto
