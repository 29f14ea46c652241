#include "interrupt.h"

#include <fmt/format.h>

#include <csignal>

namespace elasto::tools {

namespace {

volatile std::sig_atomic_t interruptFlag = 0;
struct sigaction previousInt {};
struct sigaction previousTerm {};
struct sigaction previousHangUp {};

extern "C" void onSignal(int) {
    interruptFlag = 1;
}

}  // namespace

InterruptGuard::InterruptGuard() {
    interruptFlag = 0;
    struct sigaction action {};
    action.sa_handler = onSignal;
    sigemptyset(&action.sa_mask);
    // SA_RESETHAND gives the second signal its default effect. SA_RESTART keeps writes whole.
    action.sa_flags = static_cast<int>(SA_RESTART | SA_RESETHAND);
    sigaction(SIGINT, &action, &previousInt);
    sigaction(SIGTERM, &action, &previousTerm);
    sigaction(SIGHUP, nullptr, &previousHangUp);
    if (previousHangUp.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);  // nohup
}

InterruptGuard::~InterruptGuard() {
    sigaction(SIGINT, &previousInt, nullptr);
    sigaction(SIGTERM, &previousTerm, nullptr);
    sigaction(SIGHUP, &previousHangUp, nullptr);
}

bool InterruptGuard::interrupted() {
    return interruptFlag != 0;
}

std::string verdictOn(bool passes, double done, double all) {
    if (InterruptGuard::interrupted()) return fmt::format("no verdict, interrupted after {:g} of {:g}", done, all);
    return passes ? "every target is met" : "TARGETS WERE MISSED";
}

}  // namespace elasto::tools
