#pragma once
// Rounding mode and treatment of denormal numbers of the thread that asks, on one that helps it.

#include <elasto/precision.h>

#include <cfenv>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

class BorrowedRounding {
public:
    explicit BorrowedRounding(const std::fenv_t& asking) {
        std::fegetenv(&m_own);
        std::fesetenv(&asking);
    }
    ~BorrowedRounding() { std::fesetenv(&m_own); }
    BorrowedRounding(const BorrowedRounding&) = delete;
    BorrowedRounding& operator=(const BorrowedRounding&) = delete;

private:
    std::fenv_t m_own;
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
