"""Checks a kernel without each of the statements that order some roles: file, scratch file, roles.

Prints role, statement and verdict: the first rule that is broken, or `proven`."""
import re
import subprocess
import sys

ORDERS = r"sluice\.(tcgen05\.wait|fence (tcgen05|proxy)\w*|mbarrier\.wait %\w+)"
lines = open(sys.argv[1]).read().split("\n")
role = ""
for number, line in enumerate(lines):
    role = (re.findall(r'sluice\.role "(\w+)"', line) or [role])[0]
    order = re.search(ORDERS, line)
    if not order or role not in sys.argv[3:]:
        continue
    with open(sys.argv[2], "w") as out:
        out.write("\n".join(lines[:number] + lines[number + 1 :]))
    said = subprocess.run(["sluice", "check", sys.argv[2]], capture_output=True, text=True).stdout
    print(f"{role}: {order[0]}: {re.search(r'R[0-9]+(?= [(])|proven|unsupported', said)[0]}")
