#pragma once
/// @file export.h
/// What a shared library of Elasto shows to those who link it.

/// Marks what is seen from outside a library, all else being hidden (-fvisibility=hidden). In a static library too:
/// whoever links one into a shared library of their own can throw and catch its exceptions across it.
#define ELASTO_API __attribute__((visibility("default")))
