# SPDX-License-Identifier: Apache-2.0
"""Builds the extension by CMake: the release preset's settings, without tests."""
import os
import re
import shutil
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from wheel.bdist_wheel import bdist_wheel

here = os.path.dirname(os.path.abspath(__file__))
root = os.path.dirname(here)


def version():
    with open(os.path.join(root, "include", "holdfast", "base.h"), encoding="utf-8") as file:
        return re.search(r'#define HF_VERSION +"(.*)"', file.read()).group(1)


class CMakeBuild(build_ext):
    def get_ext_filename(self, name):
        return os.path.join(*name.split(".")) + ".abi3.so"

    def build_extension(self, extension):
        folder = os.path.abspath(os.path.join(self.build_temp, "cmake"))
        os.makedirs(folder, exist_ok=True)
        subprocess.run(["cmake", "-S", root, "-B", folder, "-DCMAKE_BUILD_TYPE=Release",
                        "-DHF_BUILD_TESTS=OFF", f"-DPython3_EXECUTABLE={sys.executable}"],
                       check=True)
        subprocess.run(["cmake", "--build", folder, "--parallel", str(os.cpu_count() or 2),
                        "--target", "holdfast-python"], check=True)
        target = self.get_ext_fullpath(extension.name)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        shutil.copy(os.path.join(folder, "python", "holdfast", "_holdfast.abi3.so"), target)


class Abi3Wheel(bdist_wheel):
    def get_tag(self):
        return ("cp311", "abi3", super().get_tag()[2])


setup(version=version(),
      ext_modules=[Extension("holdfast._holdfast", sources=[], py_limited_api=True)],
      cmdclass={"build_ext": CMakeBuild, "bdist_wheel": Abi3Wheel})
