"""Who does a statement: marks of roles on statements of tiles, drawn at random."""

WARPS = {"one": 4, "two": 4, "bring": 1, "out": 1}


class Roles:
    """Without `drawn` no statement has a mark. A tile is of the role that computes it, so all that
    write it have the same mark, often that of the tile before it."""

    def __init__(self, rng, drawn=False):
        self.rng, self.drawn = rng, drawn
        self.whose, self.last, self.used = {}, None, set()

    def attributes(self):
        """Of the kernel."""
        named = ", ".join(f"{name} = {WARPS[name]}" for name in WARPS if name in self.used)
        return f", sluice.roles = {{{named}}}" if named else ""

    def loads(self, attributes):
        bring = self.drawn and self.rng.random() < 0.3
        return self._marked("bring" if bring else None, attributes)

    def stores(self, v, attributes):
        if self.drawn and self.rng.random() < 0.3:
            return self._marked("out", attributes)
        return self._marked(self.whose.get(v), attributes)

    def computes(self, v, before=""):
        """Of a statement that writes a tile; `before`: a word in front of its attributes."""
        if self.drawn and v not in self.whose:
            if self.rng.random() < 0.45:
                self.last = self.rng.choice([None, "one", "one", "two"])
            self.whose[v] = self.last
        marked = self._marked(self.whose.get(v), "")
        return before + marked if marked else ""

    def _marked(self, role, attributes):
        if not role:
            return attributes
        self.used.add(role)
        inner = attributes.strip().strip("{}")
        return f" {{{inner}, sluice.in_role = \"{role}\"}}" if inner else (
            f' {{sluice.in_role = "{role}"}}')
