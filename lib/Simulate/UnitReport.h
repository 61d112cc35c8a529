// What a unit tells of one of its CTAs: the events of the timeline.
#pragma once

#include "Simulate/EventNames.h"
#include "Simulate/Recorder.h"
#include "Simulate/UnitPart.h"

namespace sluice {

class UnitReport : public UnitPart {
public:
  /// `recorder` (may be null) sees CTA `traced`.
  UnitReport(const UnitLinks &links, Recorder *recorder, int traced)
      : UnitPart(links), recorder_(recorder), traced_(traced) {}

  void start();
  void epoch(double time);
  void recordEngine(const Actor &a, const Stmt &s, const std::string &engine, double begin,
                    double end, const View &ring);
  void recordWork(const Actor &a, const Stmt &s, double begin, double end,
                  const std::string &how = {});
  Step issued(Actor &a, const Stmt &s, double cycles);
  void recordWait(Actor &a, double end);
  void recordUse(Actor &a, const View &view, double begin, double end, bool refill);

  bool recorded() const { return recorder_ != nullptr; }
  double sharedMemoryBusy() const { return engines_[traced_].sharedMemory.busy - busyAtStart_; }

private:
  int rowOf(const Actor &a) const;
  bool traced(const Actor &a) const { return recorder_ && a.cta == traced_; }

  Recorder *recorder_;
  int traced_;
  double busyAtStart_ = 0;
};

} // namespace sluice
