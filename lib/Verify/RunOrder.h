// Whether an access of a canonical run has to do with an earlier one: ordered after its end, able
// to see what it wrote, behind the fence between the proxies, of the same lanes.
#pragma once

#include "Verify/RunPart.h"

namespace sluice {

class RunOrder : public RunPart {
public:
  using RunPart::RunPart;

protected:
  ~RunOrder() = default;

  bool ordered(const Actor &a, const Access &prior, const Access &now, const Strands &who) const;
  /// Whether a product of the same thread has read what was written, and `now`, which is in order
  /// with that product, is behind the write by it: of shifts of rows.
  static bool handedOn(const Cell &cell, const Access &now);
  bool visible(const Actor &a, const Access &prior, const Access &now, const Strands &who) const;
  bool behindFences(const Actor &a, const Access &prior, const Access &now,
                    const Strands &who) const;
  /// A read meets `write`, which has happened but need not be visible.
  Step invisible(const Actor &a, const Stmt &s, const std::string &bytes, const Access &write,
                 const std::string &object);
  /// An asynchronous access meets generic write `write` without a fence between.
  Step unfenced(const Actor &a, const Stmt &s, const std::string &bytes, const Access &write,
                bool writes, const std::string &object, const char *fence);
  static bool mayOvertake(const Access &prior, bool priorWrites, const Access &now, bool writes,
                          const Strands &who);
  bool overtakes(const Actor &a, const Stmt &s, const Access &read, const std::string &bytes,
                 const std::string &object, const char *fence);

  // RunLanes.cpp
  uint64_t lanesOf(const Actor &a, const Stmt &s, const View &view, const Access &access) const;

private:
  bool goesOn(const Actor &a, const Access &prior, const Access &now) const;
  bool inIssueOrder(const Access &prior, const Access &now) const;
  uint64_t wayOf(const Actor &a, const Stmt &s, const View &view) const;
  bool lanesKnow(const Actor &a, const Access &prior, const Access &now) const;
};

} // namespace sluice
