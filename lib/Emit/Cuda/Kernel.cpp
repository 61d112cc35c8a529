// The frame of a printed kernel: header comment, signature, memory, body.
#include "Emit/Cuda/Printer.h"
#include "Program/Agent.h"
#include "Program/Joined.h"

#include <algorithm>

namespace sluice::cuda {

PrinterParts::PrinterParts(PrinterState &state)
    : control(state, *this), scalars(state, control), flow(state, control, scalars),
      parameters(state), records(state, *this), roles(state, *this), barriers(state, *this),
      tma(state, *this), copies(state, *this), matrix(state, *this), tensorMemory(state, *this),
      elements(state, *this), raw(state, *this) {}

Printer::Printer(const Program &program, const EmitOptions &options)
    : PrinterState(program, options), ViewPrinter(*this, owned_), owned_(*this) {
  nameMemory();
}

void Printer::nameMemory() {
  for (const Buffer &b : program_.buffers) {
    bufferNames_.push_back(names_.take(b.name, "tile"));
    std::string tile = bufferNames_.back();
    tile[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(tile[0])));
    tileNames_.push_back(b.space == Space::smem ? names_.take(tile + "Tile") : "");
  }
  for (const Mbarrier &m : program_.mbarriers)
    barrierNames_.push_back(names_.take(m.name, "barrier"));
}

void Printer::checkTarget() {
  if (isAscend(program_.target))
    return fail("target " + std::string(name(program_.target)) +
                " has no CUDA printer; sm_90a has");
  if (program_.warps < 1 || program_.warps > 32)
    return fail("a CTA has 1 to 32 warps, not " + number(program_.warps));
  for (const Buffer &b : program_.buffers) {
    at_ = b.loc;
    const bool known =
        b.layout == Layout::row || isAsItLies(b.layout) || chunkElements(b.layout, b.type);
    int64_t unit = std::max<int64_t>(8 * swizzleBytes(b.layout), 16);
    const bool tmem = b.space == Space::tmem && program_.target == Target::sm_100a;
    if (b.space != Space::smem && b.space != Space::reg && !tmem)
      fail("buffer " + b.name + " lies in " + std::string(name(b.space)) + ", which " +
           std::string(name(program_.target)) + " does not have");
    else if (b.shape.size() != 2)
      fail("buffer " + b.name + " has rank " + number(b.shape.size()) + "; tiles have rank 2");
    else if (b.space == Space::smem && !known)
      fail("buffer " + b.name + " has layout " + std::string(name(b.layout)) +
           " in shared memory; row, panels, lines, span, sw32, sw64 and sw128 can be printed");
    else if (b.space == Space::smem && (b.offset % unit || (b.slots > 1 && b.slotBytes % unit)))
      fail("the slots of buffer " + b.name + " must start at multiples of " + number(unit) +
           " bytes");
  }
  at_ = program_.loc;
}

namespace {

std::string pad(std::string text, size_t width) {
  text.resize(std::max(width, text.size()), ' ');
  return text + " ";
}

std::string padLeft(const std::string &text, size_t width) {
  return std::string(width > text.size() ? width - text.size() : 0, ' ') + text;
}

/// Arrivals per phase, from the initialisation; -1 where there is none or several differ.
int64_t countOf(const Program &program, int barrier) {
  int64_t count = -1;
  bool differ = false;
  walk(program.body, [&](const Stmt &s) {
    auto *init = std::get_if<MbarrierInit>(&s.op);
    if (!init || init->barrier.object != barrier)
      return;
    differ |= count >= 0 && count != init->count;
    count = init->count;
  });
  return differ ? -1 : count;
}

} // namespace

/// Slots, arrivals and bytes of a phase, offset in shared memory; who arrives and waits.
void Printer::barrierRows(Text &t) const {
  if (program_.mbarriers.empty() && options_.barriers.empty())
    return;
  const bool told = !options_.barriers.empty();
  t.line("//").line("//   barrier          slots  count  bytes  offset" +
                    std::string(told ? "  who arrives -> who waits" : ""));
  auto noteOf = [&](const std::string &name) -> const EmitOptions::BarrierNote * {
    for (const auto &note : options_.barriers)
      if (note.name == name)
        return &note;
    return nullptr;
  };
  auto row = [&](const std::string &name, const std::string &slots, int64_t count, int64_t bytes,
                 const std::string &offset, const EmitOptions::BarrierNote *note) {
    const std::string numbers = "//   " + pad(name, 16) + padLeft(slots, 5) + "  " +
                                padLeft(count < 0 ? "-" : number(count), 5) + "  " +
                                padLeft(bytes ? number(bytes) : "-", 5) + "  " + padLeft(offset, 6);
    const std::string who = note ? "  " + note->arrives + " -> " + note->waits : "";
    if (numbers.size() + who.size() <= 100) {
      t.line(numbers + who);
      return;
    }
    t.line(numbers);
    t.comment("//       ", note->arrives + " -> " + note->waits);
  };
  for (size_t b = 0; b < program_.mbarriers.size(); ++b) {
    const Mbarrier &m = program_.mbarriers[b];
    const auto *note = noteOf(m.name);
    row(barrierNames_[b], number(m.slots), countOf(program_, int(b)), note ? note->bytes : 0,
        number(m.offset), note);
  }
  for (const auto &note : options_.barriers)
    if (note.name.starts_with("named "))
      row(note.name, "-", note.count, 0, "-", &note);
}

/// Roles with their warps and registers, whole ones in a line.
void Printer::rolesLines(Text &t) const {
  std::string line = "// Roles: ";
  bool first = true; // of its line
  walk(program_.body, [&](const Stmt &s) {
    auto *r = std::get_if<Role>(&s.op);
    if (!r)
      return;
    const std::string role = r->name + " (warps " + number(r->firstWarp) + ".." +
                             number(r->firstWarp + r->warps - 1) +
                             (r->registers ? ", " + number(r->registers) + " registers" : "") + ")";
    if (!first && line.size() + role.size() > 97) {
      t.line(line + ",");
      line = "//   ";
      first = true;
    }
    line += (first ? "" : ", ") + role;
    first = false;
  });
  if (!first)
    t.line(line + ".");
}

Text Printer::header() const {
  const LaunchPlan &plan = parts_.parameters.plan();
  Text t;
  t.line("// Kernel " + program_.name + " for " + std::string(name(program_.target)) +
         ", printed by sluice.");
  std::string cluster;
  if (plan.cluster[0] * plan.cluster[1] * plan.cluster[2] > 1)
    cluster = ", cluster " + number(plan.cluster[0]) + " x " + number(plan.cluster[1]) + " x " +
              number(plan.cluster[2]);
  t.line("// " + number(plan.threads) + " threads, " + number(plan.sharedBytes) +
         " bytes of dynamic shared memory" + cluster +
         (program_.ctasPerSm > 1 ? ", room for " + number(program_.ctasPerSm) + " CTAs on an SM."
                                 : "."));
  rolesLines(t);
  for (const std::string &line : options_.about)
    t.line("// " + line);
  for (const Assumption &a : plan.assumptions)
    t.comment("// ", "Every launch keeps: " + a.text + " (" + placeText(a) + ").");
  barrierRows(t);
  bool first = true;
  for (size_t b = 0; b < program_.buffers.size(); ++b) {
    const Buffer &f = program_.buffers[b];
    if (f.space != Space::smem)
      continue;
    if (first)
      t.line("//").line("//   shared memory    slots  bytes  offset  tile");
    first = false;
    t.line("//   " + pad(bufferNames_[b], 16) + padLeft(number(f.slots), 5) + "  " +
           padLeft(number(f.slotBytes), 5) + "  " + padLeft(number(f.offset), 6) + "  " +
           std::string(name(f.type)) + " " + number(f.shape[0]) + " x " + number(f.shape[1]) + " " +
           std::string(name(f.layout)) + (f.minor == 0 ? ", columns contiguous" : ""));
  }
  return t;
}

/// Whether every line that comes to a buffer in layout `lines` begins where a piece of 16 bytes
/// does.
bool Printer::beginsAtPieces(int buffer) const {
  bool all = true;
  walk(program_.body, [&](const Stmt &s) {
    const auto *load = std::get_if<TmaLoad>(&s.op);
    if (load && load->destination.object == buffer)
      all &= bytesAtOnce(load->source, program_.tensors[load->source.object].minor) == 16;
  });
  return all;
}

/// "LinesTile<bf16, 8, 1024>", of a span with what a line has in the tensor: "SpanTile<bf16, 8,
/// 1024, 1000>".
std::string Printer::asItLies(int buffer, const std::string &shape) const {
  const std::string shifted = beginsAtPieces(buffer) ? ", false" : "";
  if (program_.buffers[buffer].layout == Layout::lines)
    return "LinesTile<" + shape + shifted;
  return "SpanTile<" + shape + ", " + number(widthOfLines(program_, buffer)) + shifted;
}

/// Named constants of the memory map, and the objects that the body works on.
void Printer::declareMemory(const std::string &body, Text &text) {
  auto unused = [&](const std::string &name) { // a mention in a comment does no harm
    const bool mentioned =
        body.find(name + "[") != body.npos || body.find("Major(" + name + ",") != body.npos;
    return std::string(mentioned ? "" : "[[maybe_unused]] ");
  };

  if (program_.sharedBytes > 0) {
    text.line("extern __shared__ __align__(1024) unsigned char sharedBytes[];");
    text.line("const u32 smem = sharedAddress(sharedBytes);");
  }
  for (size_t b = 0; b < program_.buffers.size(); ++b) {
    const Buffer &f = program_.buffers[b];
    if (f.space != Space::smem)
      continue;
    const std::string shape =
        typeName(f.type) + ", " + number(f.shape[0]) + ", " + number(f.shape[1]);
    const std::string span = number(chunkElements(f.layout, f.type) * byteSize(f.type));
    text.line("using " + tileNames_[b] + " = " +
              (isAsItLies(f.layout)
                   ? asItLies(int(b), shape)
                   : "SharedTile<" + shape + ", " + number(f.minor) + ", " + span) +
              ">;");
    text.line(unused(bufferNames_[b]) + "const Buffer<" + tileNames_[b] + ", " +
              number(f.slotBytes) + "> " + bufferNames_[b] + "{smem + " + number(f.offset) + "};");
  }
  for (size_t b = 0; b < program_.mbarriers.size(); ++b)
    text.line(unused(barrierNames_[b]) + "const Mbarriers " + barrierNames_[b] + "{smem + " +
              number(program_.mbarriers[b].offset) + "};");
}

void Printer::includes(Text &text) const {
  if (options_.watchdog > 0)
    text.line("#define SLUICE_WATCHDOG " + number(options_.watchdog) + "ull // ns");
  if (options_.watchdog > 0 && options_.watchdogReport)
    text.line("#define SLUICE_WATCHDOG_REPORT " + std::to_string(options_.watchdogReport) + "ull");
  text.line("#include <sluice/device.cuh>");
  if (program_.target == Target::sm_100a)
    text.line("#include <sluice/tcgen05.cuh>");
  if (cancelsLaunches(program_))
    text.line("#include <sluice/clc.cuh>");
  if (parts_.copies.prints())
    text.line("#include <sluice/print.cuh>");
  if (parts_.tma.hasPolicies())
    text.line("#include <sluice/tma_policy.cuh>");
  if (parts_.tma.isOfPairs())
    text.line("#include <sluice/tma_pair.cuh>");
}

Result<EmittedSource> Printer::print() {
  checkTarget();
  if (error)
    return *error;
  Text body(1), memory(1);
  out_ = &body;
  parts_.control.block(program_.body);
  at_ = program_.loc;
  declareMemory(body.str(), memory);
  parts_.roles.declareRegisters("", memory);
  if (error)
    return *error;
  parts_.parameters.sortParameters();
  Text text;
  if (options_.comments)
    text.append(header());
  includes(text);
  text.blank();
  text.line("using namespace sluice;").blank();
  Text maps(1);
  parts_.parameters.prefetchMaps(maps);
  text.append(parts_.parameters.signature()).append(memory);
  if ((maps.str() + body.str()).find("ctaWarp") != std::string::npos)
    text.line("  const int ctaWarp = warpOfCta();");
  parts_.records.declare(text);
  text.append(maps).append(body);
  parts_.records.finish(text);
  text.line("}");
  return EmittedSource{text.str(), parts_.parameters.plan()};
}

} // namespace sluice::cuda

namespace sluice {

Result<EmittedSource> emitCuda(const Program &program, const EmitOptions &options) {
  return cuda::Printer(program, options).print();
}

} // namespace sluice
