// A verdict as text for people and as JSON for programs.
#pragma once

#include "Verify/Verify.h"

#include <string>

namespace sluice {

class JsonWriter;

/// One object: verdict, coverage, trip_counts, assumptions, violations, notes, events, ms.
std::string verdictJson(const Verdict &verdict, double milliseconds);
/// Its member `violations`, into an object that is open.
void writeViolations(JsonWriter &json, const std::vector<Violation> &violations);

/// Verdict, then each violation with its line of source where the file can be read.
std::string verdictText(const Verdict &verdict);

/// Who is blocked on what, a line each; those that are blocked alike share one.
std::string blockedText(const std::vector<Blocked> &blocked);

/// The verdict over several kernels: the worst counts, lists are joined.
Verdict worst(const Verdict &a, const Verdict &b);

std::string name(Verdict::Kind kind); // "proven" ...

/// "proven: every launch", "violated: refused at A[1,257]": the first line of the text.
std::string headline(const Verdict &verdict);

} // namespace sluice
