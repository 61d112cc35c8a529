# The machine of a data sheet in JSON, and the first fact.
import json
import sys

sheet = json.load(sys.stdin)
print(sheet["machine"], sheet["target"])
print(sheet["facts"][0])
