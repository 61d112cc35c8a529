#!/usr/bin/env python3
"""Stands for `sluice mutate`: one proven mutant that can fail; of extra_set, no clean program."""
import json
import sys

if any("extra_set" in argument for argument in sys.argv):
    sys.exit("error: kernel 'k' is no clean program")
mutant = {"mutation": "flip parity wait", "kind": "flip parity", "purpose": "wait",
          "statement": 4, "location": "k.mlir:7:1",
          "outcome": "DISAGREEMENT", "evidence": "explorer",
          "all_trips": True, "other_result": False, "rule": "",
          "detail": "the explorer finds R5: early"}
print(json.dumps({"mutants": [mutant]}))
sys.exit(1)
