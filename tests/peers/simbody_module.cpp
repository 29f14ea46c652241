// Simbody lives in a module of its own: it brings functions of an old SUNDIALS under the names that the reference's
// SUNDIALS has, and neither may get those of the other.

#include "peer.h"

#ifdef ELASTO_SIMBODY_MODULE
#include <dlfcn.h>

#include <stdexcept>
#endif

namespace elasto::peers {

#ifdef ELASTO_SIMBODY_MODULE

void addSimbody(Peers& peers) {
    void* module = dlopen(ELASTO_SIMBODY_MODULE, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
    if (module == nullptr) throw std::runtime_error(dlerror());
    const auto add = reinterpret_cast<void (*)(Peers&)>(dlsym(module, "elasto_peers_add"));
    if (add == nullptr) throw std::runtime_error(dlerror());
    add(peers);
}

#else

void addSimbody(Peers&) {}

#endif

}  // namespace elasto::peers
