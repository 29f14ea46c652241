#pragma once
// Eigen as Elasto's libraries are compiled with it. Include this instead of Eigen's own headers before Elasto's types.

#include <Eigen/Core>
#include <Eigen/Geometry>

// Eigen aligns its types, and the memory of its vectors, by the instruction set that a file is compiled for: with
// -mavx2, -march=native or /arch:AVX2 a Placement would have another size than in the library, and the program would
// crash.
#if defined(EIGEN_VECTORIZE) || EIGEN_MAX_ALIGN_BYTES != 0
#error \
    "Elasto's libraries are compiled with EIGEN_DONT_VECTORIZE: compile each file that includes them with \
-DEIGEN_DONT_VECTORIZE (CMake's targets elasto::... and pkg-config --cflags say so) and without EIGEN_MAX_ALIGN_BYTES"
#endif
static_assert(alignof(Eigen::Quaterniond) == alignof(double) && alignof(Eigen::Vector4d) == alignof(double),
              "Eigen aligns its types here otherwise than in Elasto's libraries");
