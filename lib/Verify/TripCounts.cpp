#include "Verify/TripCounts.h"

#include "Verify/NormalForm.h"

#include <deque>
#include <memory>
#include <unordered_set>

namespace sluice {
namespace {

using RunPointer = std::unique_ptr<CanonicalRun>;

class Exploration {
public:
  Exploration(Context &context, const TripLimits &limits)
      : context_(context), limits_(limits), relevance_(context.program) {}

  /// Again, while the runs look further back than the normal forms before have kept.
  TripProof run() {
    for (int64_t kept = -1; kept != context_.terms.lookBack && !proof_.violation;) {
      kept = context_.terms.lookBack;
      proof_.unsupported.reset();
      seen_.clear();
      explore();
    }
    proof_.states = static_cast<int64_t>(seen_.size());
    return std::move(proof_);
  }

private:
  void explore() {
    open_.clear();
    visit(std::make_unique<CanonicalRun>(context_, Coordinates{0, 0, 0}, &relevance_));
    while (!open_.empty() && !proof_.violation && !proof_.unsupported) {
      RunPointer stops = std::move(open_.front());
      open_.pop_front();
      const Query query = *stops->question();
      RunPointer goesOn = stops->fork();
      stops->decide(query, false);
      goesOn->decide(query, true);
      if (visit(std::move(stops)))
        visit(std::move(goesOn));
    }
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
    } else if (run->question()) {
      if (seen_.insert(NormalForm(*run, relevance_).write()).second)
        open_.push_back(std::move(run));
    }
    if (static_cast<int64_t>(seen_.size()) > limits_.maxStates || proof_.events > limits_.maxEvents)
      proof_.unsupported = unsupportedError(
          "the states of this program do not repeat within " + std::to_string(seen_.size()) +
          " states and " + std::to_string(proof_.events) +
          " events: a value that grows with the trip count selects what is synchronised");
    return !proof_.violation && !proof_.unsupported;
  }

  Context &context_;
  const TripLimits limits_;
  const Relevance relevance_;
  TripProof proof_;
  std::deque<RunPointer> open_;
  std::unordered_set<std::string> seen_;
};

} // namespace

TripProof proveTripCounts(Context &context, const TripLimits &limits) {
  return Exploration(context, limits).run();
}

} // namespace sluice
