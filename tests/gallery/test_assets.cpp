// The tests' programs do not lie beside the assets: this says where those are, before any test begins.

#include <cstdlib>

namespace {

[[maybe_unused]] const int kAssets = setenv("ELASTO_ASSETS", ELASTO_ASSETS_OF_BUILD, 1);

}  // namespace
