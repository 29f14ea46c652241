#include "command_line.h"

int main(int argc, char** argv) {
    return elasto::tools::runCommandLine(argc, argv);
}
