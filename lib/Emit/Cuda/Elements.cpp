// Map and reduce: loops over the values that a thread has of register tiles.
#include "Emit/Cuda/Printer.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

namespace sluice::cuda {

std::string floatLiteral(double x) {
  float f = static_cast<float>(x);
  if (std::isnan(f))
    return "__int_as_float(0x7fffffff)";
  if (std::isinf(f))
    return f < 0 ? "-infinity()" : "infinity()";
  char text[40];
  std::snprintf(text, sizeof text, "%.9g", f);
  for (int digits = 1; digits < 9; ++digits) { // the shortest that reads back
    char shorter[40];
    std::snprintf(shorter, sizeof shorter, "%.*g", digits, f);
    if (std::strtof(shorter, nullptr) == f) {
      std::strcpy(text, shorter);
      break;
    }
  }
  std::string s = text;
  return s.find_first_of(".e") == std::string::npos ? s + ".0f" : s + "f";
}

namespace {

/// C++ of one node: `a` are its operands, parenthesised where needed. `narrow`: all that is made of
/// it has 16 bits.
std::string nodeText(const ElementNode &n, const std::vector<std::string> &a, bool narrow) {
  bool real = isFloat(n.type);
  switch (n.op) {
  case ElementOp::constant:
    return n.type == DType::i1 ? (n.value != 0 ? "true" : "false")
           : real              ? floatLiteral(n.value)
                               : number(static_cast<int64_t>(n.value));
  case ElementOp::add:
    return a[0] + " + " + a[1];
  case ElementOp::sub:
    return a[0] + " - " + a[1];
  case ElementOp::mul:
    return a[0] + " * " + a[1];
  case ElementOp::div:
    return a[0] + " / " + a[1];
  case ElementOp::max:
    return (real ? "fmaxf(" : "max(") + a[0] + ", " + a[1] + ")";
  case ElementOp::min:
    return (real ? "fminf(" : "min(") + a[0] + ", " + a[1] + ")";
  case ElementOp::neg:
    return "-" + a[0];
  case ElementOp::abs:
    return (real ? "fabsf(" : "abs(") + a[0] + ")";
  case ElementOp::fma:
    return "fmaf(" + a[0] + ", " + a[1] + ", " + a[2] + ")";
  case ElementOp::exp:
    return "expf(" + a[0] + ")";
  case ElementOp::exp2:
    return "exp2Of(" + a[0] + ")";
  case ElementOp::log:
    return "logf(" + a[0] + ")";
  case ElementOp::log2:
    return "log2f(" + a[0] + ")";
  case ElementOp::tanh:
    return (narrow ? "tanhApprox(" : "tanhf(") + a[0] + ")";
  case ElementOp::erf:
    return (narrow ? "erfApprox(" : "erff(") + a[0] + ")";
  case ElementOp::sqrt:
    return "sqrtf(" + a[0] + ")";
  case ElementOp::rsqrt:
    return "rsqrtf(" + a[0] + ")";
  case ElementOp::lt:
    return a[0] + " < " + a[1];
  case ElementOp::le:
    return a[0] + " <= " + a[1];
  case ElementOp::gt:
    return a[0] + " > " + a[1];
  case ElementOp::ge:
    return a[0] + " >= " + a[1];
  case ElementOp::eq:
    return a[0] + " == " + a[1];
  case ElementOp::ne:
    return a[0] + " != " + a[1];
  case ElementOp::select:
    return a[0] + " ? " + a[1] + " : " + a[2];
  case ElementOp::andI:
    return a[0] + (n.type == DType::i1 ? " && " : " & ") + a[1];
  case ElementOp::orI:
    return a[0] + (n.type == DType::i1 ? " || " : " | ") + a[1];
  default:
    return a[0];
  }
}

/// Written as a function of its operands, which then need no parentheses.
bool isCall(const ElementNode &n) {
  switch (n.op) {
  case ElementOp::max:
  case ElementOp::min:
  case ElementOp::abs:
  case ElementOp::fma:
  case ElementOp::cast:
    return true;
  default:
    return n.op >= ElementOp::exp && n.op <= ElementOp::rsqrt;
  }
}

bool isAtom(const std::string &text) {
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    depth += (text[i] == '(' || text[i] == '[') - (text[i] == ')' || text[i] == ']');
    if (depth == 0 && (text[i] == ' ' || (i == 0 && text[i] == '-')))
      return false;
  }
  return true;
}

const char *cppType(DType type) {
  return type == DType::i1 ? "bool" : isFloat(type) ? "float" : "int";
}

/// From the value of a node of type `from` to one of type `to`.
std::string castText(const std::string &text, DType from, DType to, const std::string &toName) {
  if (isFloat(to) && to != DType::f32)
    return "rounded<" + toName + ">(" + text + ")";
  if (to == DType::f32)
    return isFloat(from) ? text : "float(" + text + ")";
  const bool narrow = to == DType::s8 && from != DType::i1;
  if (isFloat(from) && to != DType::i1) {
    const std::string whole = "__float2int_rz(" + text + ")"; // saturates, as the machine model
    return narrow ? "max(-128, min(127, " + whole + "))" : whole;
  }
  if (narrow)
    return "int(static_cast<signed char>(" + text + "))";
  if (from == DType::s8)
    return text; // an int already
  return std::string(cppType(to)) + "(" + text + ")";
}

} // namespace

std::vector<std::string> Printer::elementFn(const ElementFn &fn,
                                            const std::vector<std::string> &arguments,
                                            const std::vector<DType> &argumentTypes,
                                            const std::vector<DType> &resultTypes) {
  std::vector<int> uses(fn.nodes.size()), asResult(fn.nodes.size());
  for (const ElementNode &n : fn.nodes)
    for (int o : n.operands)
      ++uses[o];
  for (int r : fn.results)
    ++asResult[r];
  const bool narrowResults = std::all_of(resultTypes.begin(), resultTypes.end(), [](DType t) {
    return t == DType::f16 || t == DType::bf16;
  });
  std::vector<std::string> texts;
  std::vector<DType> types;
  for (size_t i = 0; i < fn.nodes.size(); ++i) {
    const ElementNode &n = fn.nodes[i];
    types.push_back(n.op == ElementOp::argument ? argumentTypes.at(n.imm) : n.type);
    std::vector<std::string> operands;
    bool call = isCall(n);
    for (int o : n.operands)
      operands.push_back(call || isAtom(texts[o]) ? texts[o] : "(" + texts[o] + ")");
    std::string text = n.op == ElementOp::argument    ? arguments.at(n.imm)
                       : n.op == ElementOp::parameter ? argument(n.imm)
                       : n.op == ElementOp::cast
                           ? castText(operands[0], types[n.operands[0]], n.type,
                                      isFloat(n.type) ? valueType(n.type) : "")
                           : nodeText(n, operands, narrowResults);
    // A 16-bit result that goes straight to a tile of its type is rounded there.
    bool stored = false;
    for (size_t r = 0; r < fn.results.size(); ++r)
      stored |= fn.results[r] == int(i) && resultTypes[r] == n.type;
    bool narrow = isFloat(n.type) && n.type != DType::f32 && n.op != ElementOp::argument;
    if (narrow && stored && uses[i] == 0)
      text = n.op == ElementOp::cast ? texts[n.operands[0]] : text;
    else if (narrow && n.op != ElementOp::cast)
      text = "rounded<" + valueType(n.type) + ">(" + text + ")";
    if (uses[i] + asResult[i] > 1 && n.op != ElementOp::constant && n.op != ElementOp::parameter &&
        (n.op != ElementOp::argument || !isAtom(text) || text.find('(') != std::string::npos)) {
      std::string name = names_.take("", "x");
      out().line("const " + std::string(cppType(types[i])) + " " + name + " = " + text + ";");
      text = name;
    }
    texts.push_back(text);
  }
  std::vector<std::string> results;
  for (int r : fn.results)
    results.push_back(texts[r]);
  return results;
}

/// What stands before "rowIndex(i)": the tile itself; where a view has fewer columns, a type like
/// it.
static std::string indexOf(const RegisterTile &space) {
  return space.whole() ? space.name + "." : "Fragment<float, " + number(space.viewColumns) + ">::";
}

/// Which value of the whole tile value `i` of its view is. Of blocks of 64 rows each has its own
/// columns.
static std::string ofWhole(const RegisterTile &tile, const std::string &i) {
  const bool fragment = tile.kind == RegisterTile::fragment;
  if (fragment && tile.blocks > 1 && !tile.whole())
    return tile.name + ".within<" + number(tile.firstColumn) + ", " + number(tile.viewColumns) +
           ">(" + i + ")";
  const int64_t columnsOfAValue = fragment ? 2 : 4;
  return tile.firstColumn ? i + " + " + number(tile.firstColumn / columnsOfAValue) : i;
}

/// Value of `tile` that belongs to value `i` of a tile like `space`.
std::string Printer::element(const RegisterTile &tile, const RegisterTile &space,
                             const std::string &i) {
  if (tile.kind == space.kind)
    return tile.name + ".get(" + ofWhole(tile, i) + ")";
  std::string like = indexOf(space);
  if (tile.kind == RegisterTile::rowVector)
    return tile.name + ".get(" + like + "rowIndex(" + i + "))";
  return tile.name + ".get(" + ofWhole(tile, like + "colIndex(" + i + ")") + ")";
}

/// One argument, handed on; a change of the type is that of the tile it goes to, integers going by
/// way of f32.
static bool isIdentity(const ElementFn &fn) {
  if (fn.results.size() != 1 || fn.coordinates)
    return false;
  const ElementNode *n = &fn.nodes[fn.results[0]];
  if (n->op == ElementOp::cast && isFloat(n->type))
    n = &fn.nodes[n->operands[0]];
  if (n->op == ElementOp::cast && n->type == DType::f32 && !isFloat(fn.nodes[n->operands[0]].type))
    n = &fn.nodes[n->operands[0]];
  return n->op == ElementOp::argument && n->imm == 0;
}

/// Tiles of f32 and i32 take values one by one.
void Printer::mapValues(const Map &o, const std::vector<RegisterTile> &outs, int64_t count,
                        const std::string &i, const ArgumentsAt &argumentsAt) {
  std::vector<DType> inTypes, outTypes;
  for (const View &v : o.ins)
    inTypes.push_back(program_.type(v));
  for (const View &v : o.outs)
    outTypes.push_back(program_.type(v));
  inTypes.insert(inTypes.end(), o.fn.coordinates ? 2 : 0, DType::index);
  out().line("#pragma unroll");
  out().open("for (int " + i + " = 0; " + i + " < " + number(count) + "; ++" + i + ") {");
  std::vector<std::string> results = elementFn(o.fn, argumentsAt(i), inTypes, outTypes);
  for (size_t k = 0; k + 1 < outs.size(); ++k) { // before any of them changes
    if (isAtom(results[k]) && results[k].find('(') == std::string::npos)
      continue;
    std::string name = names_.take("", "x");
    out().line("const " + std::string(cppType(outTypes[k])) + " " + name + " = " + results[k] +
               ";");
    results[k] = name;
  }
  for (size_t k = outs.size(); k-- > 0;) {
    out().line(outs[k].name + ".set(" + ofWhole(outs[k], i) + ", " + results[k] + ");");
  }
  out().close();
}

void Printer::map(const Map &o) {
  std::vector<RegisterTile> outs, ins;
  std::vector<DType> inTypes, outTypes;
  for (auto [views, tiles, types] :
       {std::tuple{&o.outs, &outs, &outTypes}, std::tuple{&o.ins, &ins, &inTypes}})
    for (const View &v : *views) {
      const Buffer *b = program_.buffer(v);
      if (!b || b->space != Space::reg)
        return fail("map works on register tiles; copy " +
                    (b ? b->name : program_.tensors[v.object].name) + " into registers first");
      auto tile = registerTile(v);
      if (!tile)
        return;
      tiles->push_back(*tile);
      types->push_back(b->type);
    }
  if (outs.empty())
    return fail("map without outputs");
  const RegisterTile &space = outs[0];
  for (const RegisterTile &t : outs)
    if (t.kind != space.kind || t.viewColumns != space.viewColumns || t.blocks != space.blocks)
      return fail("the outputs of map must be tiles of one shape and layout");
  for (const RegisterTile &t : ins) {
    bool broadcast = space.kind == RegisterTile::fragment && t.kind != space.kind;
    bool columns = t.kind == RegisterTile::rowVector || t.viewColumns == space.viewColumns;
    bool rows = t.kind == RegisterTile::colVector || t.blocks == space.blocks;
    if ((t.kind != space.kind && !broadcast) || !columns || !rows)
      return fail("map: input " + t.name + " is neither a tile like " + space.name +
                  " nor a vector that is broadcast along it");
  }
  int64_t count = space.kind == RegisterTile::fragment    ? space.blocks * space.viewColumns / 2
                  : space.kind == RegisterTile::rowVector ? 2 * space.blocks
                                                          : space.viewColumns / 4;
  if (isIdentity(o.fn) && ins[0].kind == space.kind && ins[0].whole() && space.whole()) {
    out().line("assign(" + space.name + ", " + ins[0].name + ");");
    return;
  }
  auto names = names_.mark();
  std::string i = names_.take("i");
  auto argumentsAt = [&](const std::string &at) {
    std::vector<std::string> arguments;
    for (const RegisterTile &t : ins)
      arguments.push_back(element(t, space, at));
    if (o.fn.coordinates) {
      std::string like = space.kind == RegisterTile::fragment ? indexOf(space) : space.type + "::";
      arguments.push_back("fragmentRow<" + number(warps()) + ">(" + like + "rowIndex(" + at +
                          "), " + warp() + ")");
      arguments.push_back("fragmentCol(" + like + "colIndex(" + at + "))");
    }
    return arguments;
  };
  if (std::all_of(outTypes.begin(), outTypes.end(), [](DType t) { return byteSize(t) == 4; })) {
    mapValues(o, outs, count, i, argumentsAt);
    return names_.release(names);
  }
  out().line("#pragma unroll");
  out().open("for (int " + i + " = 0; " + i + " < " + number(count) + "; " + i + " += 2) {");
  for (size_t k = 0; k < outs.size(); ++k)
    out().line("float out" + number(k) + "[2];");
  out().line("#pragma unroll");
  out().open("for (int e = 0; e < 2; ++e) {");
  if (o.fn.coordinates)
    inTypes.insert(inTypes.end(), 2, DType::index);
  std::vector<std::string> results = elementFn(o.fn, argumentsAt(i + " + e"), inTypes, outTypes);
  for (size_t k = 0; k < outs.size(); ++k)
    out().line("out" + number(k) + "[e] = " + results[k] + ";");
  out().close();
  for (size_t k = 0; k < outs.size(); ++k) {
    out().line(outs[k].name + ".put(" + ofWhole(outs[k], i) + ", out" + number(k) + "[0], out" +
               number(k) + "[1]);");
  }
  out().close();
  names_.release(names);
}

/// The wrapper that folds with this function from this start; empty: there is none.
static std::string foldName(const Reduce &o) {
  if (o.fn.results.size() != 1 || o.fn.coordinates)
    return "";
  const ElementNode &n = o.fn.nodes[o.fn.results[0]];
  auto isArgument = [&](int node) { return o.fn.nodes[node].op == ElementOp::argument; };
  if (n.type != DType::f32 || n.operands.size() != 2 || n.operands[0] == n.operands[1] ||
      !isArgument(n.operands[0]) || !isArgument(n.operands[1]))
    return "";
  if (n.op == ElementOp::max && std::isinf(o.identity) && o.identity < 0)
    return "maxOfRows";
  return n.op == ElementOp::add && o.identity == 0 ? "sumOfRows" : "";
}

/// Rows of a fragment into a row vector: first the columns of the thread, then of its quad.
void Printer::reduce(const Reduce &o) {
  for (const View *v : {&o.in, &o.out}) {
    const Buffer *b = program_.buffer(*v);
    if (!b || b->space != Space::reg)
      return fail("reduce works on register tiles");
  }
  auto in = registerTile(o.in), to = registerTile(o.out);
  if (!in || !to)
    return;
  if (o.axis != 1 || in->kind != RegisterTile::fragment || to->kind != RegisterTile::rowVector ||
      in->blocks != to->blocks)
    return fail("reduce folds the columns of a fragment into a row vector (axis 1); a fold over "
                "rows crosses warps and needs shared memory");
  DType inType = program_.type(o.in), outType = program_.type(o.out);
  if (!isFloat(inType))
    return fail("reduce folds floats; convert " + in->name + " of " + std::string(name(inType)) +
                " to f32 first");
  if (const std::string fold = foldName(o); in->whole() && to->whole() && !fold.empty()) {
    out().line(fold + "(" + to->name + ", " + in->name + ");");
    return;
  }
  std::string rows = number(2 * in->blocks);
  auto names = names_.mark();
  std::string i = names_.take("i"), folded = names_.take("folded");
  out().open("{");
  out().line("float " + folded + "[" + rows + "];");
  out().line("#pragma unroll");
  out().line("for (int " + i + " = 0; " + i + " < " + rows + "; ++" + i + ")");
  out().line("  " + folded + "[" + i + "] = " + floatLiteral(o.identity) + ";");
  out().line("#pragma unroll");
  out().open("for (int " + i + " = 0; " + i + " < " + number(in->blocks * in->viewColumns / 2) +
             "; ++" + i + ") {");
  std::string mine = folded + "[" + indexOf(*in) + "rowIndex(" + i + ")]";
  auto step = [&](const std::string &target, const std::string &value, DType type) {
    auto results = elementFn(o.fn, {target, value}, {outType, type}, {DType::f32});
    out().line(target + " = " + results[0] + ";");
  };
  step(mine, element(*in, *in, i), inType);
  out().close();
  out().line("#pragma unroll");
  out().open("for (int " + i + " = 0; " + i + " < " + rows + "; ++" + i + ") {");
  std::string at = folded + "[" + i + "]";
  step(at, "laneXor(" + at + ", 1)", outType);
  step(at, "laneXor(" + at + ", 2)", outType);
  out().close();
  out().line("#pragma unroll");
  out().line("for (int " + i + " = 0; " + i + " < " + rows + "; " + i + " += 2)");
  out().line("  " + to->name + ".put(" + i + ", " + folded + "[" + i + "], " + folded + "[" + i +
             " + 1]);");
  out().close();
  names_.release(names);
}

} // namespace sluice::cuda
