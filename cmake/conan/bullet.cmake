# Conan's Bullet is a CMake package; ours asks for a target.
find_package(Bullet CONFIG REQUIRED)
