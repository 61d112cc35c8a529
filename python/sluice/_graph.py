"""What a fused function computes: nodes, equal ones once, of four kinds. A node varies along rows
and along columns, along one of both, or not at all."""

REDUCTIONS = ("sum", "prod", "max", "min", "mean", "squares", "sumexp", "exps", "weight")
# What is found beside another reduction of the same: the sum beside the squares; beside the sum of
# exponentials the largest number and they themselves, each part's beside its own largest, with what
# makes them those beside the row's.
BESIDE = {"sum": "squares", "max": "sumexp", "exps": "sumexp", "weight": "sumexp"}
TRUTHS = ("lt", "le", "gt", "ge", "eq", "ne", "logical_and", "logical_or", "logical_not")


class Node:
    """`op` of nodes; `value`: what else is known of it (a constant, the number of an input).
    `parts`: whether it is one number of each part of a row, not of a row."""

    __slots__ = ("op", "of", "value", "rows", "columns", "number", "level", "parts")

    def __init__(self, op, of, value, rows, columns, number):
        self.op, self.of, self.value = op, of, value
        self.rows, self.columns, self.number = rows, columns, number
        below = max((n.level for n in of), default=0)
        self.level = below + (op in REDUCTIONS)  # passes over a row before it is known
        self.parts = op == "weight" or not columns and any(n.parts for n in of)

    @property
    def full(self):
        return self.rows and self.columns


class Graph:
    """Nodes in an order in which each comes after those that it is of."""

    def __init__(self):
        self.nodes = []
        self._known = {}

    def node(self, op, *of, value=None, rows=False, columns=False):
        key = (op, *(n.number for n in of), repr(value))
        if key not in self._known:
            if op in REDUCTIONS:
                rows, columns = True, op == "exps"
            else:
                rows = rows or any(n.rows for n in of)
                columns = columns or any(n.columns for n in of)
            self._known[key] = Node(op, of, value, rows, columns, len(self.nodes))
            self.nodes.append(self._known[key])
        return self._known[key]

    def constant(self, value):
        return self.node("constant", value=float(value))

    def mean(self, of):
        return self.node("mean", of)

    def sum(self, of):
        """A sum of exp(a - max(a)) is told apart: one pass finds both."""
        if a := _beside_largest(of):
            return self.node("sumexp", a)
        a = _beside_mean(of)
        return self.node("squares", a) if a else self.node("sum", of)

    def mean_of(self, of):
        a = _beside_mean(of)
        if a:
            return self.node("div", self.node("squares", a), self.node("width"))
        return self.mean(of)


def _beside_largest(of):
    """a of exp(a - max(a)), or None."""
    if of.op == "exp" and of.of[0].op == "sub":
        a, most = of.of[0].of
        if most.op == "max" and most.of[0] is a:
            return a
    return None


def _beside_mean(of):
    """a of (a - mean(a))^2, or None."""
    if of.op == "mul" and of.of[0] is of.of[1] and of.of[0].op == "sub":
        a, mean = of.of[0].of
        if mean.op == "mean" and mean.of[0] is a:
            return a
    return None


def needed(targets):
    """All nodes that these are of, in order."""
    found, todo = {}, list(targets)
    while todo:
        node = todo.pop()
        if node.number not in found:
            found[node.number] = node
            todo.extend(node.of)
    return [found[number] for number in sorted(found)]


def reduces(nodes):
    return any(n.op in REDUCTIONS for n in needed(nodes))


def leading(reductions):
    """Those of a level that are not found beside another of them."""
    known = {(n.op, n.of[0].number) for n in reductions}
    return [n for n in reductions if (BESIDE.get(n.op), n.of[0].number) not in known]


def left_by(reduction, results):
    """The nodes whose tiles stay where a row, or its part, is held: what is reduced if it is needed
    elsewhere, and exponentials."""
    source, nodes = reduction.of[0], needed(results)
    others = [n for n in nodes if n is not reduction and
              not (reduction.op == "sumexp" and BESIDE.get(n.op) == "sumexp")]
    again = reduction.op == "squares" or source in results or any(source in n.of for n in others)
    left = [source] if source.op != "input" and again else []
    if reduction.op == "sumexp":
        left += [n for n in nodes if n.op == "exps" and n.of[0] is source]
    return left


def lowered(results, held, shared):
    """The results over sums, largest and smallest alone where a warp holds a row; else with those
    pairs that one pass over its pieces finds, and one exchange of the warps that share a row: the
    largest and the sum of exponentials beside it, the mean and the squares beside it. Exponentials
    of parts that are held (`held` and `shared`) are computed once, each beside its part's own
    largest number."""
    graph, new = Graph(), {}
    nodes = needed(results)
    pairs = shared or not held
    softened = {n.of[0].number for n in nodes if n.op == "sumexp"} if held and shared else ()

    def mean(a):
        return graph.node("div", graph.node("sum", a), graph.node("width"))

    for node in nodes:
        of = [new[n.number] for n in node.of]
        beside = _beside_largest(node)
        if node.op == "mean":
            made = mean(*of)
        elif node.op == "squares" and not pairs:
            apart = graph.node("sub", *of, mean(*of))
            made = graph.node("sum", graph.node("mul", apart, apart))
        elif node.op == "sumexp" and not pairs:
            made = graph.node("sum", graph.node("exp", graph.node("sub", *of,
                                                                  graph.node("max", *of))))
        elif beside and beside.number in softened:
            a = new[beside.number]
            made = graph.node("mul", graph.node("exps", a), graph.node("weight", a))
        elif node.op in ("mul", "div"):
            made = _scaled(graph, node.op, *of)
        else:
            made = graph.node(node.op, *of, value=node.value, rows=node.rows, columns=node.columns)
        new[node.number] = made
    return [new[n.number] for n in results]


def _scaled(graph, op, a, b):
    """a * b or a / b. A number of the row beside weighted exponentials joins their weight, which is
    at most 1: one product for each element."""
    for weighted, number in ((a, b), (b, a)):
        joins = op == "mul" or weighted is a and number.op == "sumexp"
        if weighted.op == "mul" and weighted.of[0].op == "exps" and not number.columns and joins:
            exps, weight = weighted.of
            return graph.node("mul", exps, graph.node(op, weight, number))
    return graph.node(op, a, b)


def keeps_zero(node, zeros):
    """Whether it is zero where all tensors are, as beyond their last column. `zeros`: whether that
    is so of a node that is known already, else None."""
    known = {}
    for n in needed([node]):
        found = zeros(n)
        if found is None:
            below = [known[m.number] for m in n.of]
            if n.op in ("sub", "add", "neg", "abs", "sqrt", "tanh", "erf", "round"):
                found = all(below)
            elif n.op == "mul":  # zero times infinity is none
                found = all(z or m.op == "constant" and abs(m.value) < 1e30
                            for z, m in zip(below, n.of)) and any(below)
            elif n.op in ("maximum", "minimum"):
                found = all(z or m.op == "constant" and m.value == 0 for z, m in zip(below, n.of))
            else:
                found = n.op == "input" and n.columns
        known[n.number] = found
    return known[node.number]
