# Labels of an SVG picture: none lies on another or leaves the picture. Prints how many there are,
# and the texts of the first ones that are asked for.
import sys
import xml.etree.ElementTree as xml

NAMESPACE = "{http://www.w3.org/2000/svg}"
LETTER = 0.5  # width of a letter of a sans-serif font, of its size


def box(text):
    size = float(text.get("font-size"))
    x, y = float(text.get("x")), float(text.get("y"))
    width = LETTER * size * len(text.text)
    shift = {"middle": width / 2, "end": width}.get(text.get("text-anchor"), 0)
    if text.get("transform"):  # turned a quarter to the left
        return (x - 0.7 * size, y - width + shift, x, y + shift)
    return (x - shift, y - 0.7 * size, x - shift + width, y)


def meet(a, b):
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


picture = xml.parse(sys.argv[1]).getroot()
assert picture.tag == NAMESPACE + "svg", picture.tag
texts = [t for t in picture.iter(NAMESPACE + "text") if t.text]
boxes = [box(t) for t in texts]
width, height = float(picture.get("width")), float(picture.get("height"))
for text, at in zip(texts, boxes):
    if at[0] < 0 or at[1] < 0 or at[2] > width or at[3] > height:
        print("outside:", text.text)
for i, a in enumerate(boxes):
    for j in range(i):
        if meet(a, boxes[j]):
            print("meet:", texts[j].text, "|", texts[i].text)
print("labels:", len(texts))
for text in texts[: int(sys.argv[2]) if len(sys.argv) > 2 else 0]:
    print(text.text)
