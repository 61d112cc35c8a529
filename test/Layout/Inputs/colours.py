# Of a picture of a layout with so many columns: how many colours its first column has.
import sys
import xml.etree.ElementTree as xml

cells = xml.parse(sys.argv[1]).getroot().iter("{http://www.w3.org/2000/svg}rect")
fills = [cell.get("fill") for cell in cells][1:]  # behind the background
print("colours of the first column:", len(set(fills[:: int(sys.argv[2])])))
