// Objects of the printed kernel that note what happens: time stamps, checksums of slots.
#pragma once

#include "Emit/Cuda/PrinterPart.h"

#include <map>

namespace sluice::cuda {

class RecordPrinter : public PrinterPart {
public:
  RecordPrinter(PrinterState &state, PrinterParts &parts);

  void beginStamp(const Stmt &s);
  void endStamp(const Stmt &s);
  void sumSlots(const Stmt &s);
  // At the start and the end of the kernel.
  void declare(Text &text) const;
  void finish(Text &text) const;

private:
  std::map<const Stmt *, int> events_;             // what is stamped
  std::map<const Stmt *, std::vector<int>> slots_; // what is summed up behind a wait
  std::string stamps_, checksums_;                 // the objects that stamp and sum up; empty: none
  std::vector<std::string> records_;               // the objects as they are declared
};

} // namespace sluice::cuda
