#include "Emit/Checksums.h"
#include "Emit/Cuda/Printer.h"
#include "Emit/Stamps.h"

namespace sluice::cuda {

/// Objects that note what happens, and the memory that they write.
RecordPrinter::RecordPrinter(PrinterState &state, PrinterParts &parts) : PrinterPart(state, parts) {
  if (options_.stampedCta) {
    for (const Stmt *s : stampedStatements(program_))
      events_.emplace(s, int(events_.size()) + 1);
    stamps_ = names_.take("stamps");
    records_.push_back("Stamps<" + number(kStampsKept) + "> " + stamps_ + "(" +
                       parts_.parameters.addMemory(stampsTensor(program_), "Stamp *") + ", " +
                       number(*options_.stampedCta) + ");");
  }
  if (options_.checksums > 0) {
    slots_ = slotsRead(program_);
    checksums_ = names_.take("checksums");
    records_.push_back("Checksums<" + number(options_.checksums) + "> " + checksums_ + "(" +
                       parts_.parameters.addMemory(checksumsTensor(), "u64 *") + ");");
  }
}

void RecordPrinter::declare(Text &text) const {
  for (const std::string &object : records_)
    text.line("  " + object);
}

void RecordPrinter::finish(Text &text) const {
  for (const std::string &object : {stamps_, checksums_})
    if (!object.empty())
      text.line("  " + object + ".finish();");
}

void RecordPrinter::beginStamp(const Stmt &s) {
  if (events_.contains(&s))
    out().line(stamps_ + ".begin();");
}

void RecordPrinter::endStamp(const Stmt &s) {
  if (const auto event = events_.find(&s); event != events_.end())
    out().line(stamps_ + ".end(" + number(event->second) + ");");
}

/// What a wait has handed over to its role, as the first warp finds it.
void RecordPrinter::sumSlots(const Stmt &s) {
  const auto buffers = slots_.find(&s);
  if (buffers == slots_.end())
    return;
  if (warps() > 1)
    out().open("if (" + warp() + " == 0) {");
  for (int b : buffers->second)
    out().line(checksums_ + ".slot(" + bufferNames_[b] + "[" +
               text(std::get<MbarrierWait>(s.op).barrier.slot) + "], " +
               number(checksumBytes(program_.buffers[b])) + ");");
  if (warps() > 1)
    out().close();
}

} // namespace sluice::cuda
