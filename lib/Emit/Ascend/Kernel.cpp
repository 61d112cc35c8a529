// The frame of a printed kernel: header comment, signature, flags, tensors, tiles, body.
#include "Emit/Ascend/Limits.h"
#include "Emit/Ascend/Printer.h"
#include "Emit/Ascend/Words.h"
#include "Program/Agent.h"
#include "Program/OperationFacts.h"

#include <algorithm>
#include <set>

namespace sluice::ascend {

std::string typeName(DType type) {
  switch (type) {
  case DType::f16:
    return "half";
  case DType::bf16:
    return "bfloat16_t";
  case DType::s8:
    return "int8_t";
  case DType::i32:
    return "int32_t";
  default:
    return "float";
  }
}

Cores::Cores(const Program &program) {
  for (const Buffer &b : program.buffers)
    (b.space == Space::ub ? vector : cube) = true;
}

/// Tiles of L0C that are handed over by units.
static std::set<int> handedOver(const Program &program) {
  std::set<int> tiles;
  walk(program.body, [&tiles](const Stmt &s) {
    if (const UnitsDeed deed = unitsDeed(s.op))
      tiles.insert(deed.tile->object);
  });
  return tiles;
}

Printer::Printer(State &state)
    : Part(state), cores_(program_), flags_(program_, ranges_), crossFlags_(crossFlagsOf(program_)),
      handedOver_(handedOver(program_)), scalars_(state, *this), flow_(state, *this, scalars_),
      parameters_(state) {
  for (const FlagGroup &group : flags_.groups())
    flagNames_.push_back(names_.take(group.name, "flag"));
  for (const CrossFlag &flag : crossFlags_)
    crossNames_.push_back(names_.take(flag.name, "cross"));
  for (const Tensor &t : program_.tensors)
    tensorNames_.push_back(names_.take(t.name, "tensor"));
  for (const Buffer &b : program_.buffers)
    tileNames_.push_back(names_.take(b.name, "tile"));
}

namespace {

std::string pad(std::string text, size_t width) {
  text.resize(std::max(width, text.size()), ' ');
  return text + " ";
}

std::string padLeft(const std::string &text, size_t width) {
  return std::string(width > text.size() ? width - text.size() : 0, ' ') + text;
}

std::string pairOf(const FlagGroup &group) {
  return std::string(name(group.source)) + "_" + std::string(name(group.destination));
}

std::string idsOf(const FlagGroup &group) {
  return number(group.first) + (group.first == group.last ? "" : ".." + number(group.last));
}

/// Whether every copy from this tile in L1 goes to L0B.
bool isOfB(const Program &program, int buffer) {
  bool toA = false, toB = false;
  walk(program.body, [&](const Stmt &s) {
    const auto *copy = std::get_if<Copy>(&s.op);
    if (!copy || copy->source.kind != View::buffer || copy->source.object != buffer)
      return;
    const Buffer *to = program.buffer(copy->destination);
    toA |= to && to->space == Space::l0a;
    toB |= to && to->space == Space::l0b;
  });
  return toB && !toA;
}

std::string positionOf(const Program &program, int buffer) {
  switch (program.buffers[buffer].space) {
  case Space::l0a:
    return "TPosition::A2";
  case Space::l0b:
    return "TPosition::B2";
  case Space::l0c:
    return "TPosition::CO1";
  case Space::ub:
    return "TPosition::VECCALC";
  default:
    return isOfB(program, buffer) ? "TPosition::B1" : "TPosition::A1";
  }
}

} // namespace

void Printer::flagRows(Text &t) const {
  if (flags_.groups().empty())
    return;
  t.line("//").line("//   flag               event        ids  hands over");
  for (size_t g = 0; g < flags_.groups().size(); ++g) {
    std::string tiles;
    for (const int tile : flags_.groups()[g].tiles)
      tiles += (tiles.empty() ? "" : ", ") + tileNames_[tile];
    t.line("//   " + pad(flagNames_[g], 18) + pad(pairOf(flags_.groups()[g]), 10) +
           padLeft(idsOf(flags_.groups()[g]), 5) + "  " +
           (tiles.empty() ? "order alone"
                          : tiles + (flags_.groups()[g].fills ? ", filled" : ", free")));
  }
}

void Printer::crossRows(Text &t) const {
  if (crossFlags_.empty())
    return;
  t.line("//").line("//   between cores                  id  from      hands over");
  for (size_t i = 0; i < crossFlags_.size(); ++i) {
    const CrossFlag &flag = crossFlags_[i];
    std::string tensors;
    for (const int tensor : flag.tensors)
      tensors += (tensors.empty() ? "" : ", ") + tensorNames_[tensor];
    t.line("//   " + pad(crossNames_[i], 28) + padLeft(number(flag.id), 4) + "  " +
           pad(flag.fromCube ? "cube" : "vector", 8) + " " +
           (flag.meets        ? "all cores meet"
            : tensors.empty() ? "order alone"
                              : tensors + (flag.fills ? ", filled" : ", free")));
  }
}

/// Memory that the launch allocates, by its size.
void Printer::workspaceRows(Text &t) const {
  for (size_t i = 0; i < program_.tensors.size(); ++i) {
    const Tensor &tensor = program_.tensors[i];
    if (tensor.input || tensor.output)
      continue;
    int64_t bytes = byteSize(tensor.type);
    for (const int64_t extent : tensor.extents)
      bytes *= extent;
    t.line("// Workspace " + tensorNames_[i] + ": " + number(bytes) + " bytes.");
  }
}

void Printer::unitRows(Text &t) const {
  if (!handedOver_.empty())
    t.line("//");
  for (const int tile : handedOver_)
    t.comment("// ", "Units of 512 bytes of " + tileNames_[tile] +
                         ": M hands them over to FIX one by one, which gives them back "
                         "(unitFlag).");
}

void Printer::bufferRows(Text &t) const {
  t.line("//").line("//   tile             memory  slots  bytes  address");
  for (size_t b = 0; b < program_.buffers.size(); ++b) {
    const Buffer &f = program_.buffers[b];
    t.line("//   " + pad(tileNames_[b], 16) + pad(std::string(name(f.space)), 6) +
           padLeft(number(f.slots), 6) + "  " + padLeft(number(f.slotBytes), 5) + "  " +
           padLeft(number(f.offset), 7) + "  " + std::string(name(f.type)) + " " +
           number(f.shape[0]) + " x " + number(f.shape[1]) + " " + std::string(name(f.layout)));
  }
}

Text Printer::header() const {
  Text t;
  t.line("// Kernel " + program_.name + " for " + std::string(name(program_.target)) +
         ", printed by sluice: Ascend C, basic API, static-tensor mode.");
  for (const std::string &line : options_.about)
    t.line("// " + line);
  std::set<std::string> kept; // one sentence may be of several extents
  for (const Assumption &a : parameters_.plan().assumptions) {
    const std::string line = "Every launch keeps: " + a.text + " (" + placeText(a) + ").";
    if (kept.insert(line).second)
      t.comment("// ", line);
  }
  if (!cores_.cube)
    t.line("// Launch: two blocks, the vector cores of a core, for each of the grid.");
  workspaceRows(t);
  flagRows(t);
  crossRows(t);
  unitRows(t);
  bufferRows(t);
  return t;
}

Text ParameterPrinter::signature() const {
  Text t;
  std::string list;
  for (const KernelParameter &p : plan_.parameters)
    list += (list.empty() ? "" : ", ") +
            (p.kind == KernelParameter::pointer ? "GM_ADDR " : numberType(p)) + p.name;
  t.line("extern \"C\" __global__ __aicore__ void");
  t.open(plan_.kernel + "(" + list + ") {");
  return t;
}

/// Ids of a ring by the name of its first.
void Printer::declareFlags(const std::string &body, Text &t) const {
  for (size_t g = 0; g < flags_.groups().size(); ++g)
    if (body.find("(" + flagNames_[g]) != body.npos)
      t.line("constexpr int32_t " + flagNames_[g] + " = " + number(flags_.groups()[g].first) +
             "; // " + pairOf(flags_.groups()[g]) + " " + idsOf(flags_.groups()[g]));
}

void Printer::declareCrossFlags(Text &t) const {
  for (size_t i = 0; i < crossFlags_.size(); ++i)
    t.line("constexpr uint16_t " + crossNames_[i] + " = " + number(crossFlags_[i].id) +
           "; // between cores");
}

void Printer::declareTensors(Text &t) {
  for (size_t i = 0; i < program_.tensors.size(); ++i) {
    const std::string type = typeName(program_.tensors[i].type);
    const auto isPassed = [&](const KernelParameter &p) {
      return p.kind == KernelParameter::pointer && p.object == int(i);
    };
    if (std::ranges::none_of(parameters_.plan().parameters, isPassed))
      continue;
    t.line("GlobalTensor<" + type + "> " + tensorNames_[i] + ";");
    t.line(tensorNames_[i] + ".SetGlobalBuffer(reinterpret_cast<__gm__ " + type + " *>(" +
           parameters_.pointer(int(i)) + "));");
  }
}

void Printer::declareTiles(Text &t) const {
  for (size_t b = 0; b < program_.buffers.size(); ++b) {
    const Buffer &f = program_.buffers[b];
    const std::string type = "LocalTensor<" + typeName(f.type) + ">";
    const auto slot = [&](int64_t s) {
      return "(" + positionOf(program_, int(b)) + ", " + number(f.offset + s * f.slotBytes) + ", " +
             number(f.slotBytes / byteSize(f.type)) + ")";
    };
    if (f.slots == 1) {
      t.line("const " + type + " " + tileNames_[b] + slot(0) + ";");
      continue;
    }
    t.line("const " + type + " " + tileNames_[b] + "[" + number(f.slots) + "] = {");
    for (int64_t s = 0; s < f.slots; ++s)
      t.line("    " + type + slot(s) + (s + 1 < f.slots ? "," : "};"));
  }
}

Result<EmittedSource> Printer::print() {
  if (auto refusal = unprintable(program_, ranges_, flags_))
    return *refusal;
  Text body(1), text;
  out_ = &body;
  block(program_.body);
  if (failed())
    return *state_.error;
  parameters_.sortParameters();
  Text start(1);
  start.line(std::string("KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_") +
             (!cores_.vector ? "AIC_ONLY"
              : cores_.cube  ? "MIX_AIC_1_2"
                             : "AIV_ONLY") +
             ");");
  start.line("InitSocState();");
  for (const char *function : {"min", "max"}) // and not one of the toolchain's
    if (body.str().find(std::string(function) + "(") != std::string::npos)
      start.line("using sluice::" + std::string(function) + ";");
  declareTensors(start);
  declareTiles(start);
  declareFlags(body.str(), start);
  declareCrossFlags(start);
  if (options_.comments)
    text.append(header());
  text.line("#include \"kernel_operator.h\"");
  if (cores_.cube)
    text.line("#include <sluice/cube.h>");
  if (cores_.vector)
    text.line("#include <sluice/vector.h>");
  text.blank();
  text.line("using namespace AscendC;").line("using namespace sluice;").blank();
  text.append(parameters_.signature()).append(start).append(body);
  text.line("  PipeBarrier<PIPE_ALL>();").line("}");
  return EmittedSource{text.str(), parameters_.plan()};
}

} // namespace sluice::ascend

namespace sluice {

Result<EmittedSource> emitAscend(const Program &program, const EmitOptions &options) {
  const Program plain = ascend::withPlainFlagIds(program);
  emit::State state(plain, options, emit::Names(ascend::reserved, ascend::declared));
  return ascend::Printer(state).print();
}

} // namespace sluice
