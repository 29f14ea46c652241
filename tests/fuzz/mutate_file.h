#pragma once
// Changes files as somebody would who mistypes, cuts, pastes, tries values, or means ill.

#include "file_kinds.h"

#include <random_numbers.h>

#include <string>
#include <vector>

namespace elasto::fuzz {

/// @param seed its text is changed; others of its kind give names and values
/// @param changes filled with what has been done, for people
std::string mutate(const SeedFile& seed, const std::vector<SeedFile>& seeds, test::RandomNumbers& random,
                   std::string& changes);

// The parts, by what they know of the text.
std::string mutateJson(const std::string& text, const std::string& other, bool staysValid, test::RandomNumbers& random,
                       std::string& changes);
std::string mutateXml(const std::string& text, const std::string& other, bool staysValid, test::RandomNumbers& random,
                      std::string& changes);
std::string mutateBytes(std::string text, test::RandomNumbers& random, std::string& changes);

/// A number that no sensible file has, as text: 1e308, -0, 1e-320, NaN.
std::string absurdNumber(test::RandomNumbers& random);
/// A number like the given one: another sign, factor, or a round one.
double otherNumber(double number, test::RandomNumbers& random);
/// A text that no sensible file has: long, with control characters, or no UTF-8.
std::string absurdText(test::RandomNumbers& random);

/// Whether brackets stand in brackets so often that what goes through the tree could take all of the stack.
bool isDeep(const std::string& json);

}  // namespace elasto::fuzz
