#include "gallery/interrupt.h"

#include <csignal>
#include <initializer_list>

namespace elasto::gallery {

namespace {

volatile std::sig_atomic_t hasCome = 0;

}  // namespace

void noteInterrupts() {
    struct sigaction action = {};
    action.sa_handler = [](int) { hasCome = 1; };
    action.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaction(signal, &action, nullptr);
}

bool isInterrupted() {
    return hasCome != 0;
}

}  // namespace elasto::gallery
