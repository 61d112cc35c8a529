# The tests with run lines: test/<Area>/*.mlir and *.test, run with the tools of this build.
import os
import shutil
import sys

import lit.formats

config.name = "sluice"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test", ".diff"]
config.excludes = ["unit", "Inputs"]
config.test_source_root = os.path.dirname(__file__)

config.environment["PATH"] = os.pathsep.join(
    [config.sluice_bin, config.llvm_bin, os.environ.get("PATH", "")]
)
config.environment["LC_ALL"] = "C"
config.environment["PYTHONPATH"] = os.path.join(config.test_source_root, "Inputs")  # npy
config.environment["PYTHONDONTWRITEBYTECODE"] = "1"
# %python: for the few tests that read JSON or .npy; only its standard library is used.
config.substitutions.append(("%python", sys.executable))
config.substitutions.append(("%scripts", os.path.join(config.test_source_root, "..", "scripts")))
config.substitutions.append(("%build", os.path.join(config.sluice_bin, "..")))
config.substitutions.append(("%examples", os.path.join(config.sluice_bin, "..", "examples")))

# nvcc: what is printed also compiles.
nvcc = os.environ.get("NVCC") or shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
if os.access(nvcc, os.X_OK):
    config.available_features.add("nvcc")
    flags = "-std=c++17 -gencode=arch=compute_90a,code=sm_90a -Werror all-warnings"
    blackwell = flags.replace("90a", "100a")  # compute_100a, sm_100a
    config.substitutions.append(("%nvcc100", nvcc + " " + blackwell))
    config.substitutions.append(("%nvcc", nvcc + " " + flags))

# CANN, the compiler of Ascend C: what is printed also compiles.
cann = os.environ.get("ASCEND_HOME_PATH")
if cann:
    config.available_features.add("cann")
    config.environment["ASCEND_HOME_PATH"] = cann
else:
    print("skipped: Emit/ascend_cann.test: no CANN here (ASCEND_HOME_PATH is not set)",
          file=sys.stderr)

if lit_config.params.get("slow"):
    config.available_features.add("slow")
if os.path.exists("/dev/nvidia0"):
    config.available_features.add("gpu")
