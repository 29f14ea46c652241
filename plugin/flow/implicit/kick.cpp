#include "implicit/kick.h"

#include "implicit/tuning.h"

#include <algorithm>
#include <cmath>

namespace elasto::flow::implicit {

namespace {

double dot(std::span<const Vector6> a, std::span<const Vector6> b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i].dot(b[i]);
    return sum;
}

}  // namespace

double KickEnds::rate(std::span<const Vector6> y) const {
    double rate = 0;
    for (const End& end : all()) rate += end.push.dot(y[static_cast<std::size_t>(end.body)]);
    return rate;
}

void KickEnds::addTo(std::span<Vector6> y, double impulse) const {
    for (const End& end : all()) y[static_cast<std::size_t>(end.body)] += impulse * end.push;
}

double KickEnds::response() const {
    double sum = 0;
    for (const End& end : all()) sum += end.push.squaredNorm();
    return sum;
}

void KickClamp::evaluate() {
    const double wanted = lag + (target - u) / R;
    p = std::clamp(wanted, low, high);
    k = p == wanted ? 1 / R : 0;
}

void KickElement::evaluate() {
    const Push push = drift.at(u);
    p = -push.before;
    k = push.slope;
}

void KickPoint::evaluate() {
    if (presses) {
        const double wanted = lag + (target - u[0]) / Rn;
        p[0] = std::max(wanted, 0.);
        kn = wanted > 0 ? 1 / Rn : 0;
    }
    p[1] = p[2] = k11 = k12 = k22 = 0;
    slips = false;
    if (!(bound > 0)) return;
    const Eigen::Vector2d rate = u.tail<2>() + slip;
    const double speed = rate.norm();
    if (speed <= bound * Rt) {
        p.tail<2>() = -rate / Rt;
        k11 = k22 = 1 / Rt;
        return;
    }
    slips = true;
    const Eigen::Vector2d along = rate / speed;
    p.tail<2>() = -bound * along;
    const double across = bound / speed;
    k11 = across * along[1] * along[1];
    k22 = across * along[0] * along[0];
    k12 = -across * along[0] * along[1];
}

void Kick::clear() {
    clamps.clear();
    elements.clear();
    points.clear();
}

void Kick::setRates(std::span<const Vector6> y) {
    forEachRow([&](KickRow& row) { row.u = row.free + row.ends.rate(y); });
    for (KickPoint& point : points) {
        point.u = point.free;
        if (point.a >= 0) point.u.noalias() += point.A.transpose() * y[static_cast<std::size_t>(point.a)];
        if (point.b >= 0) point.u.noalias() += point.B.transpose() * y[static_cast<std::size_t>(point.b)];
    }
}

void Kick::setSteps(std::span<const Vector6> step) {
    forEachRow([&](KickRow& row) { row.du = row.ends.rate(step); });
    for (KickPoint& point : points) {
        point.du.setZero();
        if (point.a >= 0) point.du.noalias() += point.A.transpose() * step[static_cast<std::size_t>(point.a)];
        if (point.b >= 0) point.du.noalias() += point.B.transpose() * step[static_cast<std::size_t>(point.b)];
    }
}

void Kick::evaluate() {
    forEachRow([](auto& row) { row.evaluate(); });
    for (KickPoint& point : points) point.evaluate();
}

void Kick::findGradient(std::span<const Vector6> y) {
    m_gradient.assign(y.begin(), y.end());
    forEachRow([&](const KickRow& row) {
        if (row.p != 0) row.ends.addTo(m_gradient, -row.p);
    });
    for (const KickPoint& point : points) {
        if (point.p.isZero(0)) continue;
        if (point.a >= 0) m_gradient[static_cast<std::size_t>(point.a)].noalias() -= point.A * point.p;
        if (point.b >= 0) m_gradient[static_cast<std::size_t>(point.b)].noalias() -= point.B * point.p;
    }
}

/// Of the gradient: rates are rounded, and stiff rows make much of it.
double Kick::rounding() const {
    constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
    double sum = 0;
    const auto add = [&](const KickRow& row) {
        const double wrong = kEpsilon * (row.size + std::abs(row.free) + std::abs(row.u)) * row.k;
        sum += wrong * wrong * row.ends.response();
    };
    for (const KickClamp& row : clamps) add(row);
    for (const KickElement& row : elements) add(row);
    return std::sqrt(sum);
}

// A search between the two sides of a stiff kink would go to and fro for ever.
void Kick::noteKinks(int iteration) {
    const bool isFirst = iteration == 0;
    forEachRow([&](KickRow& row) {
        const bool flips = !isFirst && (row.k > 2 * row.kLast || row.kLast > 2 * row.k);
        row.flips += flips ? 1 : 0;
        row.kUsed = flips && row.flips >= kFlips ? std::max(row.k, row.kLast) : row.k;
        row.kLast = row.k;
    });
    for (KickPoint& point : points) {
        const bool flips = !isFirst && (point.kn > 0) != (point.knLast > 0);
        point.flips += flips ? 1 : 0;
        point.knUsed = flips && point.flips >= kFlips ? std::max(point.kn, point.knLast) : point.kn;
        point.knLast = point.kn;
        const bool slipFlips = !isFirst && point.slips != point.slipped;
        point.slipFlips += slipFlips ? 1 : 0;
        point.staysStuck = slipFlips && point.slipFlips >= kFlips;
        point.slipped = point.slips;
    }
}

Block6* Kick::beside(int one, int other, bool& isOneLater) {
    const std::vector<int>& placeOf = m_matrix.order().placeOf();
    const int p = placeOf[static_cast<std::size_t>(one)], q = placeOf[static_cast<std::size_t>(other)];
    isOneLater = p > q;
    return &m_matrix.lower(m_matrix.order().entryOf(std::min(p, q), std::max(p, q)));
}

void Kick::factor() {
    m_matrix.clear(true);
    const std::vector<int>& placeOf = m_matrix.order().placeOf();
    const auto diagonal = [&](int body) -> Block6& {
        return m_matrix.diagonal(placeOf[static_cast<std::size_t>(body)]);
    };
    bool isOneLater = false;
    forEachRow([&](const KickRow& row) {
        if (row.kUsed == 0) return;
        const std::span<const KickEnds::End> ends = row.ends.all();
        for (std::size_t i = 0; i < ends.size(); ++i) {
            const Vector6 push = row.kUsed * ends[i].push;
            addSymmetricProduct(push, ends[i].push, diagonal(ends[i].body));
            for (std::size_t j = 0; j < i; ++j) {
                Block6& block = *beside(ends[i].body, ends[j].body, isOneLater);
                isOneLater ? addProduct(push, ends[j].push, block) : addProduct(ends[j].push, push, block);
            }
        }
    });
    for (const KickPoint& point : points) {
        if (point.knUsed == 0 && point.k11 == 0 && point.k22 == 0) continue;
        const double stuck = 1 / point.Rt;
        const double k11 = point.staysStuck ? stuck : point.k11, k22 = point.staysStuck ? stuck : point.k22;
        const double k12 = point.staysStuck ? 0 : point.k12;
        const auto times = [&](const KickPoint::Columns& columns) {
            KickPoint::Columns result;
            result.col(0) = point.knUsed * columns.col(0);
            result.col(1) = k11 * columns.col(1) + k12 * columns.col(2);
            result.col(2) = k12 * columns.col(1) + k22 * columns.col(2);
            return result;
        };
        KickPoint::Columns A, B;
        if (point.a >= 0) {
            A = times(point.A);
            diagonal(point.a).noalias() += A.lazyProduct(point.A.transpose());
        }
        if (point.b >= 0) {
            B = times(point.B);
            diagonal(point.b).noalias() += B.lazyProduct(point.B.transpose());
        }
        if (point.a < 0 || point.b < 0) continue;
        Block6& block = *beside(point.a, point.b, isOneLater);
        if (isOneLater) {
            block.noalias() += A.lazyProduct(point.B.transpose());
        } else {
            block.noalias() += B.lazyProduct(point.A.transpose());
        }
    }
    m_matrix.eliminate();
    m_hasFactor = true;
}

void Kick::findStep() {
    const std::vector<int>& placeOf = m_matrix.order().placeOf();
    m_byPlace.resize(m_gradient.size());
    m_step.resize(m_gradient.size());
    for (std::size_t i = 0; i < m_gradient.size(); ++i) {
        m_byPlace[static_cast<std::size_t>(placeOf[i])] = -m_gradient[i];
    }
    m_matrix.substitute(m_byPlace);
    for (std::size_t i = 0; i < m_step.size(); ++i) m_step[i] = m_byPlace[static_cast<std::size_t>(placeOf[i])];
}

/// Derivative of what is minimised, at y + alpha step. @param y, step their products with the step
double Kick::slopeAt(double alpha, double y, double step) {
    std::size_t i = 0;
    forEachRow([&](KickRow& row) { row.u = m_start[i++] + alpha * row.du; });
    for (std::size_t k = 0; k < points.size(); ++k) points[k].u = m_points[k] + alpha * points[k].du;
    evaluate();
    double slope = y + alpha * step;
    forEachRow([&](const KickRow& row) { slope -= row.p * row.du; });
    for (const KickPoint& point : points) slope -= point.p.dot(point.du);
    return slope;
}

double Kick::curvature(double step) {
    double sum = step;
    forEachRow([&](const KickRow& row) { sum += row.k * row.du * row.du; });
    for (const KickPoint& point : points) {
        const Eigen::Vector3d& du = point.du;
        sum += point.kn * du[0] * du[0] + point.k11 * du[1] * du[1] + 2 * point.k12 * du[1] * du[2] +
               point.k22 * du[2] * du[2];
    }
    return sum;
}

/// Length of the step at which the slope along it is small: it grows with the length. Rows are left there.
double Kick::search(int iteration, std::span<const Vector6> y) {
    setSteps(m_step);
    m_start.clear();
    forEachRow([&](const KickRow& row) { m_start.push_back(row.u); });
    m_points.clear();
    for (const KickPoint& point : points) m_points.push_back(point.u);
    const double ofY = dot(y, m_step), ofStep = dot(m_step, m_step);
    const double first = std::abs(dot(m_gradient, m_step));
    const double enough = (iteration < kLooseIterations ? kLoose : kClose) * first;
    double low = 0, high = 1, alpha = 1;
    double slope = slopeAt(alpha, ofY, ofStep);
    for (int i = 0; slope < -enough && i < kDoublings; ++i) {
        low = high;
        alpha = high *= 2;
        slope = slopeAt(alpha, ofY, ofStep);
    }
    const bool isBracketed = slope > 0;
    for (int i = 0; isBracketed && std::abs(slope) > enough && i < kTrials; ++i) {
        double next = alpha - slope / curvature(ofStep);
        const bool isSlow = i >= 4 && i % 2 == 0;
        if (!(next > low && next < high) || isSlow) next = (low + high) / 2;
        alpha = next;
        slope = slopeAt(alpha, ofY, ofStep);
        (slope > 0 ? high : low) = alpha;
    }
    return alpha;
}

KickWork Kick::solve(std::vector<Vector6>& y, std::span<const Vector6> scale, int most) {
    m_work = {};
    if (clamps.empty() && elements.empty() && points.empty()) {
        for (Vector6& v : y) v.setZero();
        return m_work;
    }
    setRates(y);
    evaluate();
    findGradient(y);
    double last = std::numeric_limits<double>::infinity(), rounded = 0;
    bool isFresh = false;
    for (int& i = m_work.iterations;; ++i) {
        double inPlay = 0;
        for (std::size_t b = 0; b < y.size(); ++b) inPlay += std::max(y[b].squaredNorm(), scale[b].squaredNorm());
        const double residual = std::sqrt(dot(m_gradient, m_gradient));
        if (i == kRounded) rounded = rounding();
        if (residual <= std::max(kTolerance * std::sqrt(inPlay), rounded)) break;
        if (i >= most) {
            m_work.isSolved = residual <= kPoor * std::sqrt(inPlay);
            break;
        }
        noteKinks(i);
        const bool isSlow = residual > kReuse * last || (i > 0 && !isFresh && residual > kReuseOld * last);
        isFresh = !m_hasFactor || isSlow;
        if (isFresh) factor();
        last = residual;
        findStep();
        const double alpha = search(i, y);
        for (std::size_t b = 0; b < y.size(); ++b) y[b] += alpha * m_step[b];
        findGradient(y);
    }
    // What is left goes into the rates: momentum is what the impulses say.
    for (std::size_t b = 0; b < y.size(); ++b) y[b] -= m_gradient[b];
    return m_work;
}

}  // namespace elasto::flow::implicit
