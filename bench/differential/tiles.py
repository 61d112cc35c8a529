"""A kernel as it is drawn: text line by line, beside each line what it means in the reference."""

import contextlib

import numpy as np

from . import known
from .elements import Body
from .known import INTEGERS, SIZE, Known
from .roles import Roles

SPELLED = {"e4m3": "f8E4M3FN", "e5m2": "f8E5M2"}


def spelled(dtype):
    return SPELLED.get(dtype, dtype)


class Handle:
    """A tensor in the reference: elements, what has been written, and where it ends."""

    def __init__(self, data, written, extents):
        self.data, self.written, self.extents = data, written, extents

    def part(self, offsets, shape):
        """The box's indices into the tensor and into the tile; None: nothing of it is inside."""
        counts = (1,) * (len(offsets) - 2) + tuple(shape[-len(offsets):])
        tensor, tile = [], []
        for at, count, extent in zip(offsets, counts, self.extents):
            low, high = max(at, 0), min(at + count, extent)
            if low >= high:
                return None
            tensor.append(slice(low, high))
            tile.append(slice(low - at, high - at))
        return tuple(tensor), (0, *tile)[-2:]


class Kernel:
    """Text of a kernel with the extents and inputs of one launch."""

    target = "sm_90a"  # of all kernels

    def __init__(self, name, rng):
        self.name, self.rng = name, rng
        self.tensors, self.arguments, self.constants = {}, {}, set()
        self.body, self.steps, self.indent, self.count = [], [], "  ", 0
        self.grid_extents, self.kinds = [], {}
        self.coordinates = True  # in maps
        self.batch = []  # the CTA's place in the first dimension of tensors of three
        self.roles = Roles(rng)

    def fresh(self, stem="v"):
        self.count += 1
        return f"%{stem}{self.count}"

    def constant(self, n):
        self.constants.add(n)
        return f"%c{n}" if n >= 0 else f"%cm{-n}"

    def line(self, text, step=None):
        self.body.append(self.indent + text)
        if step:
            self.steps.append(step)

    # ---- Scalars

    def scalar(self, op, *operands):
        v, how = self.fresh("s"), _SCALARS[op]
        if op.startswith("cmpi"):
            return self._compared(v, op, how, operands)
        self.line(f"{v} = arith.{op} {', '.join(operands)} : index",
                  lambda e: e.update({v: how(*(e[o] for o in operands))}))
        return v

    def _compared(self, v, op, how, operands):
        self.line(f"{v} = arith.{op}, {', '.join(operands)} : index",
                  lambda e: e.update({v: how(*(e[o] for o in operands))}))
        return v

    def counted(self, condition):
        """A condition as 0 or 1."""
        v = self.fresh("s")
        self.line(f"{v} = arith.index_castui {condition} : i1 to index",
                  lambda e: e.update({v: int(e[condition])}))
        return v

    def add(self, a, n):
        return self.scalar("addi", a, self.constant(n))

    def times(self, a, n):
        return self.scalar("muli", a, self.constant(n))

    def argument(self, name, dtype, value):
        self.arguments[name] = dict(type=dtype, value=value)
        return f"%{name}"

    def scalar_load(self, name, index):
        v = self.fresh("n")
        self.line(f"{v} = sluice.scalar_load %{name}[{index}] : <{self.kind(name)}>",
                  lambda e: e.update({v: int(e[f"%{name}"].data.value[e[index]])}))
        return v

    # ---- Tensors

    def tensor(self, name, shape, dtype, out=False, align=True, minor=None, fixed=False):
        """`align`: lines are multiples of 16 bytes. `fixed`: extents are in the text."""
        minor = len(shape) - 1 if minor is None else minor
        shape, unit = list(shape), 16 // SIZE[dtype]
        if align:
            shape[minor] = (shape[minor] + unit - 1) // unit * unit
        self.tensors[name] = dict(shape=shape, dtype=dtype, out=out, align=align, minor=minor,
                                  fixed=fixed and 0 not in shape)
        return name

    def kind(self, name):
        t = self.tensors[name]
        extents = "x".join(str(n) if t["fixed"] else "?" for n in t["shape"])
        last = t["minor"] == len(t["shape"]) - 1
        return (f"{extents}x{spelled(t['dtype'])}{'' if last else ', minor ' + str(t['minor'])}"
                f"{', align 16' if t['align'] else ''}")

    def dim(self, name, d):
        v = self.fresh("d")
        self.line(f"{v} = sluice.dim %{name}, {d} : <{self.kind(name)}>",
                  lambda e: e.update({v: e[f"%{name}"].data.value.shape[d]}))
        return v

    def extent(self, name, d):
        """Of the rows or columns, behind the batch."""
        return self.dim(name, d + max(len(self.tensors[name]["shape"]) - 2, 0))

    def clip(self, name, d, end):
        d += max(len(self.tensors[name]["shape"]) - 2, 0)
        v = self.fresh("clip")

        def step(e):
            t = e[f"%{name}"]
            extents = list(t.extents)
            extents[d] = min(extents[d], e[end])
            e[v] = Handle(t.data, t.written, extents)
        self.line(f"{v} = sluice.clip %{name}, {d} to {end} : <{self.kind(name)}>", step)
        return v

    # ---- Tiles

    def alloc(self, shape, dtype, stem="t"):
        v = self.fresh(stem)
        self.kinds[v] = (shape, dtype, "")
        self.line(f'{v} = sluice.alloc "{v[1:]}" : !sluice.buffer<{self.tile(v)}>')
        return v

    def tile(self, v):
        (rows, cols), dtype, minor = self.kinds[v]
        return f"{rows}x{cols}x{spelled(dtype)}{minor}"

    def load(self, name, offsets, shape, view=None, cache="", attributes=""):
        dtype = self.tensors[name]["dtype"]
        offsets = (self.batch + offsets)[-len(self.tensors[name]["shape"]):]
        v = self.alloc(shape, dtype)
        source = view or f"%{name}"

        def step(e):
            e[v] = Known(dtype, np.zeros(shape, _stored(dtype)))
            place = e[source].part([e[o] for o in offsets], shape)
            if place:
                e[v].value[place[1]] = e[source].data.value[place[0]]
        marks = self.roles.loads(attributes)
        self.line(f"sluice.load {source}[{', '.join(offsets)}] to {v}{cache}{marks} : "
                  f"<{self.kind(name)}>, <{self.tile(v)}>", step)
        return v

    def store(self, v, name, offsets, view=None, cache="", attributes=""):
        shape, _, _ = self.kinds[v]
        offsets = (self.batch + offsets)[-len(self.tensors[name]["shape"]):]
        to = view or f"%{name}"

        def step(e):
            place = e[to].part([e[o] for o in offsets], shape)
            if place:
                e[to].data.value[place[0]] = e[v].value[place[1]]
                e[to].data.error[place[0]] = e[v].bound()[place[1]]
                e[to].written[place[0]] = True
        marks = self.roles.stores(v, attributes)
        self.line(f"sluice.store {v} to {to}[{', '.join(offsets)}]{cache}{marks} : "
                  f"<{self.tile(v)}>, <{self.kind(name)}>", step)

    def transpose(self, v):
        (rows, cols), dtype, minor = self.kinds[v]
        t = self.fresh("turned")
        self.line(f"{t} = sluice.transpose {v} : <{self.tile(v)}>",
                  lambda e: e.update({t: e[v].map(np.transpose)}))
        self.kinds[t] = ((cols, rows), dtype, "" if minor else ", minor 0")
        return t

    def fill(self, v, number):
        shape, dtype, _ = self.kinds[v]
        self.line(f"sluice.fill {v} with {number} : <{self.tile(v)}>", lambda e: e.update(
            {v: Known(dtype, np.full(shape, float(number), _stored(dtype)))}))

    def copy(self, v, to):
        dtype = self.kinds[to][1]
        marks = self.roles.computes(to)
        self.line(f"sluice.copy {v} to {to}{marks} : <{self.tile(v)}>, <{self.tile(to)}>",
                  lambda e: e.update({to: known.converted(e[v], dtype)}))

    def mma(self, d, a, b):
        def step(e):
            with np.errstate(all="ignore"):
                e[d] = known.product(e[d], e[a], e[b])
        marks = self.roles.computes(d)
        self.line(f"sluice.mma {d}, {a}, {b}{marks} : <{self.tile(d)}>, <{self.tile(a)}>, "
                  f"<{self.tile(b)}>", step)

    def map(self, inputs, outputs, draw):
        """`draw(body)` yields the results; outputs are tiles that are declared."""
        rng = self.rng
        coordinates = self.coordinates and rng.random() < 0.3
        arguments = [(self.fresh("a"), self.kinds[v][1]) for v in inputs]
        place = [(self.fresh("at"), "index") for _ in "rc"] if coordinates else []
        outside = [(f"%{n}", "f32") for n, a in self.arguments.items() if a["type"] == "f32"]
        indices = [(f"%{n}", "index") for n, a in self.arguments.items() if a["type"] == "index"]
        body = Body(self, arguments + place, outside, [n for n, _ in place + indices])
        outside += indices
        results = draw(body)
        typed = ", ".join(f"!sluice.buffer<{self.tile(v)}>" for v in inputs)
        types = ", ".join(f"!sluice.buffer<{self.tile(v)}>" for v in outputs)
        ins = f"ins({', '.join(inputs)} : {typed}) " if inputs else ""
        marks = self.roles.computes(outputs[0], " attributes")
        self.line(f"sluice.map {ins}outs({', '.join(outputs)} : {types})"
                  f"{' coordinates' if coordinates else ''}{marks} {{")
        self.line("^bb0(" + ", ".join(f"{n}: {spelled(t)}" for n, t in arguments + place) + "):")
        for text in body.lines:
            self.line("  " + text)
        dtypes = [self.kinds[v][1] for v in outputs]
        self.line(f"  sluice.yield {', '.join(results)} : {', '.join(dtypes)}")
        self.line("}", self._mapped(inputs, outputs, body, arguments, place, outside, results))

    def _mapped(self, inputs, outputs, body, arguments, place, outside, results):
        shape = self.kinds[outputs[0]][0]

        def step(e):
            values = {a: e[v] for (a, _), v in zip(arguments, inputs)}
            for (n, _), axis in zip(place, (0, 1)):
                values[n] = Known("index", np.indices(shape, np.int64)[axis])
            values.update({n: _everywhere(e[n]) for n, _ in outside})
            for v, r in zip(outputs, body.run(values, results)):
                e[v] = r.map(lambda x: np.broadcast_to(x, shape).copy())
        return step

    def reduce(self, v, op, start, draw=None):
        """Each row folded to one f32, a function of the element."""
        shape, dtype, _ = self.kinds[v]
        q = self.alloc((shape[0], 1), "f32", "q")
        self.line(f"sluice.reduce ins({v} : !sluice.buffer<{self.tile(v)}>) outs({q} : "
                  f"!sluice.buffer<{self.tile(q)}>) axis 1 from [{start}]"
                  f"{self.roles.computes(q, ' attributes')} {{")
        state, a = self.fresh("a"), self.fresh("a")
        body = Body(self, [(a, dtype)])
        result = draw(body) if draw else body.converted(a, dtype, "f32")
        joined = self.fresh("e")
        both = [state, result] if self.rng.random() < 0.7 else [result, state]
        self.line(f"^bb0({state}: f32, {a}: {dtype}):")
        for text in body.lines + [f"{joined} = arith.{op} {both[0]}, {both[1]} : f32",
                                  f"sluice.yield {joined} : f32"]:
            self.line("  " + text)

        def step(e):
            with np.errstate(all="ignore"):
                e[q] = known.fold(op, e[v], float(start), lambda x: body.run({a: x}, [result])[
                    0].map(lambda y: np.broadcast_to(y, shape)))
        self.line("}", step)
        return q

    # ---- Control

    @contextlib.contextmanager
    def loop(self, start, end, step, attributes=""):
        """Yields the variable of an scf.for."""
        t, steps, self.steps = self.fresh("i"), self.steps, []
        self.line(f"scf.for {t} = {start} to {end} step {step} {{")
        self.indent += "  "
        yield t
        inner, self.steps, self.indent = self.steps, steps, self.indent[2:]

        def run(e):
            for at in range(e[start], e[end], e[step]):
                e[t] = at
                for each in inner:
                    each(e)
        self.line("}" + attributes, run)

    @contextlib.contextmanager
    def branch(self, condition):
        """What happens if the condition holds."""
        steps, self.steps = self.steps, []
        self.line(f"scf.if {condition} {{")
        self.indent += "  "
        yield
        inner, self.steps, self.indent = self.steps, steps, self.indent[2:]
        self.line("}", lambda e: [each(e) for each in inner] if e[condition] else None)

    @contextlib.contextmanager
    def otherwise(self, condition):
        """What happens if it does not, right behind its branch."""
        steps, self.steps = self.steps, []
        self.body[-1] = self.indent + "} else {"
        self.indent += "  "
        yield
        inner, self.steps, self.indent = self.steps, steps, self.indent[2:]
        self.line("}", lambda e: None if e[condition] else [each(e) for each in inner])

    def grid(self, extents, attributes=""):
        names = [f"%{n}" for n in "ijk"[:len(extents)]]
        self.grid_extents, self.before = list(extents), len(self.steps)
        self.line(f"{', '.join(names)} = sluice.grid {', '.join(extents)}{attributes} : "
                  f"{', '.join(['index'] * len(extents))}")
        return names

    def text(self):
        arguments = [f'%{n}: !sluice.tensor<{self.kind(n)}> {{sluice.name = "{n}"'
                     f'{", sluice.out" if t["out"] else ""}}}' for n, t in self.tensors.items()]
        arguments += [f'%{n}: {a["type"]} {{sluice.name = "{n}"}}'
                      for n, a in self.arguments.items()]
        lines = [f"sluice.kernel @{self.name}({', '.join(arguments)})",
                 f'    attributes {{target = "{self.target}"{self.roles.attributes()}}} {{']
        lines += [f"  {self.constant(n)} = arith.constant {n} : index"
                  for n in sorted(self.constants)]
        return "\n".join(lines + self.body + ["}", ""])

    def reference(self, inputs):
        """Outputs of a launch by name: Known, and which elements are written."""
        e = {self.constant(n): n for n in self.constants}
        for n, a in self.arguments.items():
            e[f"%{n}"] = (a["value"] if a["type"] != "f32" else
                          Known("f32", np.full((1, 1), a["value"], np.float32)))
        for n, t in self.tensors.items():
            value = np.zeros(t["shape"], _stored(t["dtype"])) if t["out"] else inputs[n]
            error = np.zeros(t["shape"]) if t["out"] else None
            e[f"%{n}"] = Handle(Known(t["dtype"], value, error), np.zeros(t["shape"], bool),
                                list(t["shape"]))
        for step in self.steps[:self.before]:
            step(e)
        names = [f"%{n}" for n in "ijk"]
        for place in np.ndindex(*(max(e[x], 0) for x in self.grid_extents)):
            e.update(zip(names, (int(x) for x in place)))
            for step in self.steps[self.before:]:
                step(e)
        return {n: e[f"%{n}"] for n, t in self.tensors.items() if t["out"]}


def _everywhere(x):
    """A value of a kernel in a body: indices are numbers outside of it."""
    return x if isinstance(x, Known) else Known("index", np.full((1, 1), x, np.int64))


def _stored(dtype):
    return INTEGERS.get(dtype, np.float32)


_SCALARS = {
    "addi": lambda a, b: a + b, "subi": lambda a, b: a - b, "muli": lambda a, b: a * b,
    "divsi": lambda a, b: int(abs(a) // abs(b)) * (1 if (a < 0) == (b < 0) else -1),
    "remsi": lambda a, b: abs(a) % abs(b) * (1 if a >= 0 else -1),
    "ceildivsi": lambda a, b: -(-a // b), "minsi": min, "maxsi": max,
    "andi": lambda a, b: a & b, "xori": lambda a, b: a ^ b, "shrsi": lambda a, b: a >> b,
    "select": lambda c, a, b: a if c else b,
    "cmpi slt": lambda a, b: a < b, "cmpi sge": lambda a, b: a >= b, "cmpi eq": lambda a, b: a == b,
}
