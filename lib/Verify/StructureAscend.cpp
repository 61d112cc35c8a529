// Mmad shapes, which pipe moves what, and which core has which pipes and memory.
#include "Program/AscendCores.h"
#include "Program/Blocks.h"
#include "Program/OperationFacts.h"
#include "Verify/Names.h"
#include "Verify/Structure.h"

#include <algorithm>

namespace sluice {
namespace {

struct DataPath {
  Pipe pipe;
  Space from, to;
  bool on910b, on950;
};

/// Vendor documentation, "data paths" and "from 2201 to 3510": pipes of A2/A3 (910B) and of 950.
constexpr DataPath paths[] = {
    {Pipe::mte2, Space::global, Space::l1, true, true},
    {Pipe::mte2, Space::global, Space::ub, true, true},
    {Pipe::mte2, Space::global, Space::l0a, true, false},
    {Pipe::mte2, Space::global, Space::l0b, true, false},
    {Pipe::mte1, Space::l1, Space::l0a, true, true},
    {Pipe::mte1, Space::l1, Space::l0b, true, true},
    {Pipe::fix, Space::l0c, Space::global, true, true},
    {Pipe::fix, Space::l0c, Space::l1, true, true},
    {Pipe::fix, Space::l0c, Space::ub, false, true},
    {Pipe::v, Space::ub, Space::ub, true, true},
    {Pipe::mte3, Space::ub, Space::global, true, true},
    {Pipe::mte3, Space::ub, Space::l1, false, true},
    {Pipe::s, Space::global, Space::ub, true, true},
    {Pipe::s, Space::ub, Space::global, true, true},
};

Space spaceOf(const Program &p, const View &v) {
  const Buffer *b = p.buffer(v);
  return b ? b->space : Space::global;
}

std::string pipesFor(Space from, Space to, bool is950) {
  std::string text;
  for (const DataPath &path : paths)
    if (path.from == from && path.to == to && (is950 ? path.on950 : path.on910b))
      text += (text.empty() ? "" : ", ") + std::string(name(path.pipe));
  return text;
}

void checkCopy(const StructureContext &c, const Stmt &s, const Copy &op) {
  const Space from = spaceOf(c.program, op.source), to = spaceOf(c.program, op.destination);
  const bool is950 = c.program.target == Target::ascend950;
  if (is950 && from == Space::l1 && to == Space::ub)
    return c.refuse("R30",
                    "copy" + place(s.loc) +
                        " from L1 to UB: to which of the vector cores is left open, and it is not "
                        "followed. Load the tile into UB",
                    s.loc);
  const std::string pipes = pipesFor(from, to, is950);
  const bool legal = std::any_of(std::begin(paths), std::end(paths), [&](const DataPath &path) {
    return path.pipe == s.pipe && path.from == from && path.to == to &&
           (is950 ? path.on950 : path.on910b);
  });
  if (legal)
    return;
  c.refuse("R30",
           "copy" + place(s.loc) + " from " + spaceName(from) + " to " + spaceName(to) +
               " on pipe " + std::string(name(s.pipe)) + ": " +
               (pipes.empty()
                    ? "no pipe of " + std::string(name(c.program.target)) + " has that path"
                    : "that path belongs to " + pipes),
           s.loc);
}

/// Whether the fractals of a part lie one behind the other: it has whole rows of fractals of the
/// tile (zZ, nZ) or whole columns of them (zN), or is a row, or column, of fractals itself.
bool isContiguous(const Program &p, const View &v) {
  const Buffer &b = *p.buffer(v);
  const int64_t line = b.space == Space::l0c ? 16 : 32 / byteSize(b.type);
  const int64_t height = b.layout == Layout::nZ ? line : 16;
  return b.layout == Layout::zN ? v.rows() == b.shape[0] || v.cols() == line
                                : v.cols() == b.shape[1] || v.rows() == height;
}

/// In which order the fractals of an operand lie.
void checkLayouts(const StructureContext &c, const Stmt &s, const Mmad &op) {
  const std::pair<const View *, Layout> needed[] = {
      {&op.a, layoutOfL0a(c.program.target)}, {&op.b, Layout::nZ}, {&op.d, Layout::zN}};
  for (const auto &[view, layout] : needed)
    if (const Buffer &b = *c.program.buffer(*view); b.layout != layout)
      c.refuse("R29",
               "mmad" + place(s.loc) + " takes " + b.name + " in layout " +
                   std::string(name(b.layout)) + "; " + std::string(name(c.program.target)) +
                   " has fractals of " + spaceName(b.space) + " in " + std::string(name(layout)),
               s.loc);
}

void checkMmad(const StructureContext &c, const Stmt &s, const Mmad &op) {
  const Program &p = c.program;
  if (spaceOf(p, op.a) != Space::l0a || spaceOf(p, op.b) != Space::l0b ||
      spaceOf(p, op.d) != Space::l0c || s.pipe != Pipe::m) {
    c.refuse("R29", "mmad" + place(s.loc) + ": A is in L0A, B in L0B, D in L0C, on pipe M", s.loc);
    return;
  }
  checkLayouts(c, s, op);
  const int64_t k = 32 / byteSize(p.type(op.a));
  if (op.d.rows() % 16 != 0 || op.d.cols() % 16 != 0 || op.a.cols() % k != 0)
    c.refuse("R29",
             "mmad" + place(s.loc) + " multiplies " + shapeText(op.a) + " by " + shapeText(op.b) +
                 "; rows and columns come in 16, K in " + std::to_string(k) + " (whole fractals)",
             s.loc);
  for (const View *v : {&op.d, &op.a, &op.b})
    if (!isContiguous(p, *v))
      c.refuse("R29",
               "mmad" + place(s.loc) + " takes " + shapeText(*v) + " of " + p.buffer(*v)->name +
                   ", whose fractals do not lie one behind the other in layout " +
                   std::string(name(p.buffer(*v)->layout)),
               s.loc);
}

/// Ascend C, hardware architecture: what a core queues operations on, and its scalar unit.
bool hasPipe(bool isVector, Pipe pipe) {
  if (pipe == Pipe::s || pipe == Pipe::mte2)
    return true;
  const bool ofVectors = pipe == Pipe::v || pipe == Pipe::mte3;
  return isVector ? ofVectors : pipe == Pipe::mte1 || pipe == Pipe::m || pipe == Pipe::fix;
}

bool isVector(const std::string &core) {
  return core.starts_with("aiv");
}

/// An operation that waits in the queue of a pipe that its core lacks orders nothing, or blocks.
void checkPipe(const StructureContext &c, const AgentId &id) {
  const Stmt *first = nullptr;
  walkRoles(c.program.body, [&](const Stmt &s, const Role *role) {
    const bool here = !role || id.core.starts_with(role->core);
    if (!first && here && executingPipe(s) == id.pipe)
      first = &s;
  });
  c.refuse("R30",
           operationName(first->op) + place(first->loc) + " is queued on pipe " +
               std::string(name(id.pipe)) + " of a " + (isVector(id.core) ? "vector" : "cube") +
               " core, which has " + (isVector(id.core) ? "MTE2, V, MTE3" : "MTE2, MTE1, M, FIX") +
               " and S",
           first->loc);
}

/// UB is of the vector cores, what else is on chip of the cube core.
void checkMemoryOfCore(const StructureContext &c, const Stmt &s, const std::string &core,
                       bool inRole) {
  const auto *copy = std::get_if<Copy>(&s.op);
  const bool crosses = copy && crossingOf(c.program, *copy) != Crossing::none;
  const Touched touched = touchedBy(s.op);
  std::vector<const View *> own = touched.reads;
  if (!crosses)
    own.insert(own.end(), touched.writes.begin(), touched.writes.end());
  for (const View *v : own)
    if (const Buffer *b = c.program.buffer(*v); b && (b->space == Space::ub) != isVector(core))
      return c.refuse("R30",
                      operationName(s.op) + place(s.loc) +
                          (inRole ? " in a role of core " : " of a program of core ") + core +
                          " touches " + b->name + " in " + spaceName(b->space) +
                          ": UB is of the vector cores, the other memories of the cube core",
                      s.loc);
}

} // namespace

void checkAscend(const StructureContext &c) {
  const std::vector<AgentId> pipes = ascendPipes(c.program);
  for (const AgentId &id : pipes)
    if (id.core != "aiv1" && !hasPipe(isVector(id.core), id.pipe))
      checkPipe(c, id);
  bool roles = false;
  walkRoles(c.program.body, [&](const Stmt &, const Role *role) { roles |= role != nullptr; });
  // Without roles the operations tell the core.
  const std::string alone = roles || pipes.empty() ? "" : pipes.front().core.substr(0, 3);
  walkRoles(c.program.body, [&](const Stmt &s, const Role *role) {
    if (auto *copy = std::get_if<Copy>(&s.op))
      checkCopy(c, s, *copy);
    else if (auto *mmad = std::get_if<Mmad>(&s.op))
      checkMmad(c, s, *mmad);
    else if (auto *set = std::get_if<SetFlag>(&s.op); set && set->source == set->destination)
      c.refuse("R31", "set_flag" + place(s.loc) + " names one pipe twice; a flag joins two pipes",
               s.loc);
    else if (auto *barrier = std::get_if<PipeBarrier>(&s.op);
             barrier && barrier->pipe == Pipe::v && c.program.target == Target::ascend950)
      c.refuse("R33",
               "pipe barrier" + place(s.loc) +
                   " of V: on ascend950 the vector pipe is in order and has none. Remove it",
               s.loc);
    else if (std::holds_alternative<Mutex>(s.op) && c.program.target != Target::ascend950)
      c.refuse("R49",
               operationName(s.op) + place(s.loc) + ": " + std::string(name(c.program.target)) +
                   " has no mutexes; ascend950 has. Hand tiles on by flags",
               s.loc);
    if (const std::string &core = role ? role->core : alone; !core.empty())
      checkMemoryOfCore(c, s, core, role != nullptr);
  });
}

} // namespace sluice
