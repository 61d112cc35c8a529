#include "Verify/TripCounts.h"

#include "Verify/LaunchRanges.h"
#include "Verify/NormalForm.h"
#include "Verify/SeenStates.h"

#include <algorithm>
#include <chrono>
#include <deque>
#include <memory>

namespace sluice {
namespace {

using RunPointer = std::unique_ptr<CanonicalRun>;

int64_t ctasOfCluster(const Program &p) {
  return p.cluster[0] * p.cluster[1] * p.cluster[2];
}

class Exploration {
public:
  Exploration(Context &context, const TripLimits &limits)
      : context_(context), limits_(limits),
        maxEvents_(limits.maxEvents + limits.maxEventsOfCta * (ctasOfCluster(context.program) - 1)),
        relevance_(context.program), rings_(context.program),
        ranges_(context.program, context.terms) {
    context_.deadline =
        std::min(limits.until, begin_ + std::chrono::duration_cast<Clock::duration>(
                                            std::chrono::duration<double>(limits.seconds)));
  }

  /// Again, where runs have looked further back than the normal forms before have kept.
  TripProof run() {
    do {
      kept_ = furthest_ = context_.terms.lookBack;
      compared_ = context_.terms.compared;
      context_.terms.doNotCome.clear();
      proof_.unsupported.reset();
      seen_.clear();
      explore();
    } while ((looksBeyond() || comesElsewhere()) && !proof_.violation);
    proof_.states = seen_.size();
    if (seen_.byFingerprint())
      context_.assumptions.insert("fingerprints: no two of the " + std::to_string(seen_.size()) +
                                  " states that differ have the same 128 bits");
    return std::move(proof_);
  }

private:
  void explore() {
    open_.clear();
    visit(std::make_unique<CanonicalRun>(context_, Coordinates{0, 0, 0}, &relevance_));
    while (!open_.empty() && !proof_.violation && !proof_.unsupported && !hasScouted()) {
      RunPointer stops = next();
      const Query query = *stops->question();
      RunPointer goesOn = stops->fork();
      stops->decide(query, false);
      goesOn->decide(query, true);
      for (RunPointer *answered : {&stops, &goesOn})
        if (ranges_.allow((*answered)->facts()) && !visit(std::move(*answered)))
          break;
    }
  }

  /// Whether some loop has come to what normal forms took it not to.
  bool comesElsewhere() const {
    const Terms &terms = context_.terms;
    return std::ranges::any_of(terms.doNotCome,
                               [&](const auto &loop) { return terms.comeTo.count(loop) > 0; });
  }

  bool looksBeyond() const {
    return context_.terms.lookBack > kept_ || context_.terms.compared > compared_;
  }

  /// Whether another round is due, and this one has not looked further back for a quarter of its
  /// states.
  bool hasScouted() {
    if (context_.terms.lookBack > furthest_) {
      furthest_ = context_.terms.lookBack;
      atFurthest_ = seen_.size();
    }
    return looksBeyond() && seen_.size() > atFurthest_ + atFurthest_ / 4;
  }

  /// The oldest, for short violations; the newest while many are open, as each takes memory.
  RunPointer next() {
    constexpr size_t many = 16;
    RunPointer run = std::move(open_.size() > many ? open_.back() : open_.front());
    open_.size() > many ? open_.pop_back() : open_.pop_front();
    return run;
  }

  /// Runs on to the next question. False: the exploration is over.
  bool visit(RunPointer run) {
    const int64_t before = run->events();
    const Result<std::optional<Violation>> result = run->run();
    proof_.events += run->events() - before;
    if (!result) {
      proof_.unsupported = result.error();
    } else if (*result) {
      proof_.violation = **result;
      for (const auto &decided : run->facts().past())
        proof_.decided.push_back(decided);
      for (const auto &[instance, range] : run->facts().instances())
        proof_.decided.emplace_back(instance, run->facts().range(context_.terms, instance));
    } else if (run->asksAgain()) {
      proof_.unsupported =
          unsupportedError("an answer about " + context_.terms.text({run->question()->trip, 0}) +
                           " is asked for again before it is used");
    } else if (run->question()) {
      if (seen_.insert(NormalForm(*run, relevance_, rings_).write()))
        open_.push_back(std::move(run));
    }
    checkLimits();
    return !proof_.violation && !proof_.unsupported;
  }

  void checkLimits() {
    if (Clock::now() > context_.deadline)
      proof_.unsupported = unsupportedError("limit: the proof takes more than " +
                                            std::to_string(static_cast<int64_t>(limits_.seconds)) +
                                            " s; `check --limit SECONDS` gives it more");
    else if (seen_.size() > limits_.maxStates || proof_.events > maxEvents_ ||
             context_.terms.questions > maxEvents_)
      proof_.unsupported = unsupportedError(
          "the states of this program do not repeat within " + std::to_string(seen_.size()) +
          " states and " + std::to_string(proof_.events) +
          " events: a value that grows with the trip count selects what is synchronised, or the "
          "program is too large");
  }

  using Clock = Context::Clock;
  Context &context_;
  const TripLimits limits_;
  const Clock::time_point begin_ = Clock::now();
  const int64_t maxEvents_;
  const Relevance relevance_;
  const Rings rings_;
  const LaunchRanges ranges_;
  TripProof proof_;
  std::deque<RunPointer> open_;
  SeenStates seen_{limits_.maxTextBytes};
  int64_t kept_ = 0, compared_ = 0;       // Terms::lookBack, compared when this round began
  int64_t furthest_ = 0, atFurthest_ = 0; // in this round; after how many states
};

} // namespace

TripProof proveTripCounts(Context &context, const TripLimits &limits) {
  return Exploration(context, limits).run();
}

} // namespace sluice
