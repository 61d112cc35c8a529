# The JSON of `sluice memory`: what shares addresses is held at different times.
import json
import sys

run = json.load(sys.stdin)
for memory in run["memories"]:
    held = []
    for place in memory["places"]:
        assert 0 <= place["begin"] < place["end"] <= memory["used"] <= memory["capacity"], place
        for begin, written, end in place["held"]:
            assert 0 <= begin <= written and begin <= end <= run["cycles"], (place["name"], begin)
            held.append((place["begin"], place["end"], begin, end))
    assert held and memory["most"] <= memory["used"]
    for i, a in enumerate(held):
        for b in held[:i]:
            apart = a[1] <= b[0] or b[1] <= a[0] or a[3] <= b[2] or b[3] <= a[2]
            assert apart, (memory["memory"], a, b)
    print(memory["memory"] + ": disjoint and within the run")
print(run["verdict"])
