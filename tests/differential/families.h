#pragma once
// Grammars of machines. Each makes a machine that is well posed: joints are closed, nothing is in anything else,
// inertias are physical, no line has length zero.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "machine.h"

namespace elasto::differential {

/// Makes a machine. Kinematic bodies have the points of their paths at multiples of kBeat, on a tick of its rates.
using Grammar = std::function<Machine(Draws&)>;

Machine makeBounce(Draws& draws);
Machine makeCam(Draws& draws);
Machine makeCart(Draws& draws);
Machine makeChain(Draws& draws);
Machine makeCrank(Draws& draws);
Machine makeDoor(Draws& draws);
Machine makeDrive(Draws& draws);
Machine makeGear(Draws& draws);
Machine makeGrip(Draws& draws);
Machine makeLaw(Draws& draws);
Machine makeLine(Draws& draws);
Machine makePlate(Draws& draws);
Machine makeWeb(Draws& draws);
Machine makeWheel(Draws& draws);

struct Family {
    std::string name;
    Grammar make;
};

/// All of them, in the order of the table.
const std::vector<Family>& families();

/// Of the paths of kinematic bodies: every rate of the campaign has a tick there [Hz].
inline constexpr int kBeat = 30;

/// Which machine it is: `chain:1:17` is the 17th chain of seed 1.
struct Identity {
    std::string family;
    std::uint64_t seed = 1;
    std::uint64_t index = 0;

    std::string text() const;
    /// @throws std::invalid_argument naming the text
    static Identity parse(const std::string& text);
};

/// The machine with its rate. @param rates to choose from [Hz]; any of 30 to 2000 Hz where there are none
Json makeScene(const Identity& identity, const std::vector<int>& rates);

}  // namespace elasto::differential
