#include "cvode_session.h"

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <new>

namespace elasto::reference {

namespace {

bool isFinite(const double* values, int count) {
    return std::all_of(values, values + count, [](double value) { return std::isfinite(value); });
}

int derivativeCallback(realtype t, N_Vector y, N_Vector dy, void* user) {
    const auto& system = *static_cast<const CvodeSession::System*>(user);
    system.derivative(t, N_VGetArrayPointer(y), N_VGetArrayPointer(dy));
    // A trial point may be far off; CVODE then takes a shorter step.
    return isFinite(N_VGetArrayPointer(dy), system.size) ? 0 : 1;
}

int boundaryCallback(realtype t, N_Vector y, realtype* g, void* user) {
    const auto& system = *static_cast<const CvodeSession::System*>(user);
    system.boundaries(t, N_VGetArrayPointer(y), g);
    return isFinite(g, system.boundaryCount) ? 0 : 1;
}

/// Errors are thrown by step() instead of printed.
void ignoreMessage(int, const char*, const char*, char*, void*) {}

}  // namespace

struct CvodeSession::Handles {
    explicit Handles(const System& given) : system(given) {}
    ~Handles() {
        if (cvode) CVodeFree(&cvode);
        if (nonlinear) SUNNonlinSolFree(nonlinear);
        if (linear) SUNLinSolFree(linear);
        if (matrix) SUNMatDestroy(matrix);
        if (atol) N_VDestroy(atol);
        if (y) N_VDestroy(y);
        if (context) SUNContext_Free(&context);
    }
    Handles(const Handles&) = delete;
    Handles& operator=(const Handles&) = delete;

    /// Turns a failed set-up call into an exception; what can fail there is memory.
    static void demand(bool success) {
        if (!success) throw std::bad_alloc();
    }
    void fail(int flag) const {
        char* reason = CVodeGetReturnFlagName(flag);
        const std::string message = "CVODE gave up at t = " + std::to_string(time) + " s: " + reason;
        std::free(reason);
        throw ReferenceError(message);
    }

    const System& system;
    SUNContext context = nullptr;
    N_Vector y = nullptr;
    N_Vector atol = nullptr;
    SUNMatrix matrix = nullptr;
    SUNLinearSolver linear = nullptr;
    SUNNonlinearSolver nonlinear = nullptr;
    void* cvode = nullptr;
    double time = 0;
    double stop = 0;
    long finishedSteps = 0;  // of earlier starts: CVODE counts from the last one
    long finishedEvaluations = 0;
};

CvodeSession::CvodeSession(const System& system, ReferenceMethod method, double rtol, const Eigen::VectorXd& atol)
    : m_handles(std::make_unique<Handles>(system)) {
    Handles& h = *m_handles;
    Handles::demand(SUNContext_Create(nullptr, &h.context) == 0);
    h.y = N_VNew_Serial(system.size, h.context);
    h.atol = N_VNew_Serial(system.size, h.context);
    Handles::demand(h.y && h.atol);
    N_VConst(0, h.y);
    std::copy(atol.begin(), atol.end(), N_VGetArrayPointer(h.atol));

    h.cvode = CVodeCreate(method == ReferenceMethod::Bdf ? CV_BDF : CV_ADAMS, h.context);
    Handles::demand(h.cvode);
    CVodeSetErrHandlerFn(h.cvode, ignoreMessage, nullptr);
    Handles::demand(CVodeInit(h.cvode, derivativeCallback, 0, h.y) == CV_SUCCESS);
    CVodeSetUserData(h.cvode, const_cast<System*>(&system));
    Handles::demand(CVodeSVtolerances(h.cvode, rtol, h.atol) == CV_SUCCESS);
    if (method == ReferenceMethod::Bdf) {
        h.matrix = SUNDenseMatrix(system.size, system.size, h.context);
        Handles::demand(h.matrix);
        h.linear = SUNLinSol_Dense(h.y, h.matrix, h.context);
        Handles::demand(h.linear && CVodeSetLinearSolver(h.cvode, h.linear, h.matrix) == CVLS_SUCCESS);
    } else {
        h.nonlinear = SUNNonlinSol_FixedPoint(h.y, 0, h.context);
        Handles::demand(h.nonlinear && CVodeSetNonlinearSolver(h.cvode, h.nonlinear) == CV_SUCCESS);
    }
    if (system.boundaryCount > 0) {
        Handles::demand(CVodeRootInit(h.cvode, system.boundaryCount, boundaryCallback) == CV_SUCCESS);
        std::vector<int> falling(static_cast<std::size_t>(system.boundaryCount), -1);
        CVodeSetRootDirection(h.cvode, falling.data());
        CVodeSetNoInactiveRootWarn(h.cvode);
    }
    CVodeSetMaxHnilWarns(h.cvode, -1);
}

CvodeSession::~CvodeSession() = default;

void CvodeSession::restart(double t, const Eigen::VectorXd& y, double stop) {
    Handles& h = *m_handles;
    h.finishedSteps = steps();
    h.finishedEvaluations = evaluations();
    std::copy(y.begin(), y.end(), N_VGetArrayPointer(h.y));
    h.time = t;
    h.stop = stop;
    if (const int flag = CVodeReInit(h.cvode, t, h.y); flag != CV_SUCCESS) h.fail(flag);
    if (const int flag = CVodeSetStopTime(h.cvode, stop); flag != CV_SUCCESS) h.fail(flag);
}

CvodeSession::Outcome CvodeSession::step() {
    Handles& h = *m_handles;
    const int flag = CVode(h.cvode, h.stop, h.y, &h.time, CV_ONE_STEP);
    if (flag < 0) h.fail(flag);
    return flag == CV_ROOT_RETURN ? Outcome::Root : Outcome::Stepped;
}

double CvodeSession::time() const {
    return m_handles->time;
}

std::vector<int> CvodeSession::roots() const {
    const Handles& h = *m_handles;
    std::vector<int> found(static_cast<std::size_t>(h.system.boundaryCount));
    CVodeGetRootInfo(h.cvode, found.data());
    std::vector<int> indices;
    for (int i = 0; i < h.system.boundaryCount; ++i)
        if (found[static_cast<std::size_t>(i)] != 0) indices.push_back(i);
    return indices;
}

void CvodeSession::interpolate(double t, Eigen::VectorXd& y) const {
    const Handles& h = *m_handles;
    if (const int flag = CVodeGetDky(h.cvode, t, 0, h.y); flag != CV_SUCCESS) h.fail(flag);
    const double* values = N_VGetArrayPointer(h.y);
    y = Eigen::Map<const Eigen::VectorXd>(values, h.system.size);
}

long CvodeSession::steps() const {
    long count = 0;
    CVodeGetNumSteps(m_handles->cvode, &count);
    return m_handles->finishedSteps + count;
}

long CvodeSession::evaluations() const {
    long count = 0;
    CVodeGetNumRhsEvals(m_handles->cvode, &count);
    return m_handles->finishedEvaluations + count;
}

}  // namespace elasto::reference
