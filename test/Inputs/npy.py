"""Reads and writes .npy files with the standard library alone; tests find it by PYTHONPATH. As a
program it writes files of many types, and some that are none, into the folder argv[1]."""

import ast
import struct
import sys

FORMATS = {"<f2": "e", "<f4": "f", "<i4": "i", "|i1": "b", "<u2": "H", "|u1": "B", "|V1": "B"}
E4M3 = [0x00, 0x38, 0x40, 0x44, 0x48, 0x4A, 0x4C]  # 0 to 6


def write(path, descr, shape, values, fortran=False):
    header = f"{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape!r}, }}"
    header += " " * (63 - (len(header) + 10) % 64) + "\n"  # data at a multiple of 64 bytes
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        file.write(struct.pack(f"<{len(values)}{FORMATS[descr]}", *values))


def read(path):
    with open(path, "rb") as file:
        data = file.read()
    (length,) = struct.unpack("<H", data[8:10])
    header = ast.literal_eval(data[10 : 10 + length].decode())
    kind = FORMATS[header["descr"]]
    body = data[10 + length :]
    values = struct.unpack(f"<{len(body) // struct.calcsize(kind)}{kind}", body)
    return header["shape"], header["fortran_order"], list(values)


def write_rows(path, descr, rows):
    write(path, descr, (len(rows), len(rows[0])), [x for row in rows for x in row])


def identity(n):
    return [float(i == j) for i in range(n) for j in range(n)]


if __name__ == "__main__":
    folder = sys.argv[1]
    ramp = [float(i % 7) for i in range(64 * 64)]
    write(f"{folder}/ramp.npy", "<f2", (64, 64), ramp)
    write(f"{folder}/ramp-t.npy", "<f2", (64, 64),
          [ramp[64 * i + j] for j in range(64) for i in range(64)], fortran=True)
    write(f"{folder}/identity.npy", "<f2", (64, 64), identity(64))
    write(f"{folder}/single.npy", "<f4", (64, 64), ramp)
    write(f"{folder}/whole.npy", "<i4", (64, 64), [int(x) for x in ramp])
    write(f"{folder}/ramp-f8.npy", "|u1", (64, 64), [E4M3[int(x)] for x in ramp])
    write(f"{folder}/identity-f8.npy", "|V1", (64, 64), [E4M3[int(x)] for x in identity(64)])
    write(f"{folder}/ramp-s8.npy", "|i1", (64, 64), [int(x) - 3 for x in ramp])
    write(f"{folder}/identity-s8.npy", "|i1", (64, 64), [int(x) for x in identity(64)])
    write(f"{folder}/ramp-s32.npy", "<i4", (64, 64), [int(x) - 3 for x in ramp])
    write(f"{folder}/wide.npy", "<f2", (64, 32), ramp[: 64 * 32])
    write(f"{folder}/short.npy", "<f2", (32, 64), ramp[: 64 * 32])
    write(f"{folder}/line.npy", "<f2", (64,), ramp[:64])
    with open(f"{folder}/ramp.npy", "rb") as file:
        whole = file.read()
    with open(f"{folder}/cut.npy", "wb") as file:
        file.write(whole[:-10])
    with open(f"{folder}/text.npy", "wb") as file:
        file.write(b"1 2 3\n")
