#include <elasto/version.h>

#define ELASTO_TEXT(number) #number
#define ELASTO_TEXT_OF(number) ELASTO_TEXT(number)

namespace elasto {

const char* version() {
    return ELASTO_TEXT_OF(ELASTO_VERSION_MAJOR) "." ELASTO_TEXT_OF(ELASTO_VERSION_MINOR) "." ELASTO_TEXT_OF(
        ELASTO_VERSION_PATCH);
}

}  // namespace elasto
