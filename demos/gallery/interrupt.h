#pragma once
/// @file interrupt.h
/// Ctrl+C and the signals that ask a program to end: it ends in order, so that no file stays half written.

namespace elasto::gallery {

/// From now on the first such signal is only noted; a second one ends the program at once.
void noteInterrupts();
bool isInterrupted();

}  // namespace elasto::gallery
