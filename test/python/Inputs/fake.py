"""Puts the package, the stand-in for PyTorch and the recording driver before a test."""

import ctypes
import os
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[2] / "python"), str(HERE)]
BUILD = Path(os.environ["SLUICE_BIN"]).parent
driver = ctypes.CDLL(str(BUILD / "test" / "fake" / "libcuda.so.1"))


class Launches:
    """What the driver recorded (Launch of test/fake/FakeCuda.h), by fake_cuda_launch()."""

    def __getattr__(self, name):
        numbers = (ctypes.c_int64 * 16)()
        driver.fake_cuda_record(numbers)
        return {"count": numbers[0], "maps": numbers[1], "grid": tuple(numbers[2:5]),
                "stream": numbers[5], "device": numbers[6], "modules": numbers[7]}[name]


launches = Launches()


def error(call, *arguments, **options):
    """The words of the SluiceError that the call raises."""
    import sluice
    try:
        call(*arguments, **options)
    except sluice.SluiceError as e:
        return str(e)
    return "no error"
