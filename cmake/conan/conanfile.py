"""Conan 2: conan create cmake/conan. It builds the sources that it lies in."""
import os
import re

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load


class Elasto(ConanFile):
    name = "elasto"
    description = "Modelica's ElastoGap, ElastoBacklash and SpringDamperSeries for the Bullet physics engine"
    license = "Zlib"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "fPIC": [True, False], "scene": [True, False]}
    default_options = {"shared": False, "fPIC": True, "scene": False}
    package_type = "library"

    @property
    def _root(self):
        return os.path.join(self.recipe_folder, "..", "..")

    def set_version(self):
        header = load(self, os.path.join(self._root, "plugin", "include", "core", "elasto", "version.h"))
        self.version = ".".join(re.findall(r"^#define ELASTO_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header, flags=re.M))

    def export_sources(self):
        for pattern in ("CMakeLists.txt", "LICENSE", "THIRD_PARTY.md", "cmake/*", "plugin/*", "assets/schema/*"):
            copy(self, pattern, self._root, self.export_sources_folder)

    def requirements(self):
        self.requires("bullet3/3.25", transitive_headers=True)
        self.requires("eigen/3.4.0", transitive_headers=True)
        self.requires("onetbb/2021.12.0")
        if self.options.scene:
            self.requires("nlohmann_json/3.11.3")
            self.requires("valijson/1.0")

    def validate(self):
        check_min_cppstd(self, 20)

    def layout(self):
        cmake_layout(self)

    def generate(self):
        toolchain = CMakeToolchain(self)
        for part in ("TOOLS", "ROBOT", "GALLERY", "TESTS"):
            toolchain.cache_variables["ELASTO_BUILD_" + part] = False
        toolchain.cache_variables["ELASTO_BUILD_SCENE"] = bool(self.options.scene)
        toolchain.cache_variables["ELASTO_WARNINGS_AS_ERRORS"] = False
        double = self.dependencies["bullet3"].options.get_safe("double_precision")
        target = "ELASTO_BULLET_FLOAT64_TARGET" if double else "ELASTO_BULLET_TARGET"
        toolchain.cache_variables[target] = "Bullet::Bullet"
        toolchain.cache_variables["CMAKE_PROJECT_Elasto_INCLUDE"] = os.path.join(self.source_folder, "cmake", "conan", "bullet.cmake")
        toolchain.generate()
        CMakeDeps(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        CMake(self).install()

    def package_info(self):
        # Elasto's own CMake package has the targets.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs.append(os.path.join("lib", "cmake", "Elasto"))
