"""labels.py STEM COLUMNS N ...: STEM.l.npy with these labels, one a row, and STEM.y.npy with 1.0 in
the column that a row's label names."""

import sys

import npy

columns, labels = int(sys.argv[2]), [int(n) for n in sys.argv[3:]]
npy.write(sys.argv[1] + ".l.npy", "<i4", (len(labels), 1), labels)
npy.write_rows(sys.argv[1] + ".y.npy", "<f4",
               [[float(column == label) for column in range(columns)] for label in labels])
