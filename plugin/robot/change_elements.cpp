#include "change_elements.h"

#include <elasto/errors.h>

#include <utility>

namespace elasto::robot {

namespace {

class Changer {
public:
    Changer(const std::vector<ParameterChange>& changes, const std::string& owner)
        : m_changes(changes), m_owner(owner) {}

    Law operator()(const ElastoGapLaw& law) const {
        ElastoGapParameters p = law.parameters();
        apply({{"c", &p.c}, {"d", &p.d}, {"s_rel0", &p.s_rel0}, {"n", &p.n}, {"s_ref", &p.s_ref}});
        return ElastoGapLaw(p, m_owner.c_str());
    }
    Law operator()(const ElastoBacklashLaw& law) const {
        ElastoBacklashParameters p = law.parameters();
        apply({{"c", &p.c}, {"d", &p.d}, {"b", &p.b}, {"phi_rel0", &p.phi_rel0}});
        return ElastoBacklashLaw(p, m_owner.c_str());
    }
    Law operator()(const SpringDamperSeriesLaw& law) const {
        SpringDamperSeriesParameters p = law.parameters();
        apply({{"c", &p.c}, {"d", &p.d}, {"s_unstretched", &p.s_unstretched}, {"s_damper_start", &p.s_damper_start}});
        return SpringDamperSeriesLaw(p, m_owner.c_str());
    }
    Law operator()(const SpringDamperLaw& law) const {
        SpringDamperParameters p = law.parameters();
        apply({{"c", &p.c}, {"d", &p.d}});
        return SpringDamperLaw(p, m_owner.c_str());
    }

private:
    void apply(const std::vector<std::pair<std::string, double*>>& fields) const {
        for (const ParameterChange& change : m_changes) {
            bool isKnown = false;
            std::string names;
            for (const auto& [name, value] : fields) {
                names += (names.empty() ? "" : ", ") + name;
                if (name != change.name) continue;
                *value = change.value;
                isKnown = true;
            }
            if (!isKnown) {
                throw InvalidParameter(m_owner, "it has no parameter " + change.name + "; it must be one of " + names);
            }
        }
    }

    const std::vector<ParameterChange>& m_changes;
    const std::string& m_owner;
};

}  // namespace

Law changedLaw(const Law& law, const std::vector<ParameterChange>& changes, const std::string& owner) {
    return std::visit(Changer(changes, owner), law);
}

}  // namespace elasto::robot
