#include "Hang.h"

#include "Console.h"

#include "Diagnose/Report.h"
#include "Emit/SyncIds.h"
#include "Program/OperationFacts.h"
#include "Program/OperationText.h"

#include <atomic>
#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <thread>

namespace sluice::tool {
namespace {

std::string coordinates(const Program &program, const WatchdogNote &note) {
  std::string text;
  for (int d = 0; d < std::max(program.gridRank, 1) && d < 3; ++d)
    text += (d ? "," : "") + std::to_string(note.cta[d]);
  return "(" + text + ")";
}

void describeMbarrier(const Program &program, const MbarrierWait &wait, const WatchdogNote &note,
                      Blocked &blocked) {
  const Mbarrier &barrier = program.mbarriers[wait.barrier.object];
  const int64_t slot = (int64_t(note.offset) - barrier.offset) / 8;
  char word[32];
  std::snprintf(word, sizeof word, "0x%016" PRIx64, note.seen);
  blocked.waitsOn = barrierName(barrier, slot) + " parity " + std::to_string(note.parity & 1);
  blocked.state =
      "the phase of parity " + std::to_string(note.phase & 1) + " runs, the barrier holds " + word;
}

Blocked describe(const Program &program, const Synchronisation &s, const WatchdogNote &note) {
  Blocked blocked;
  blocked.agent = (s.role ? s.role->name + " warp " : "warp ") + std::to_string(note.warp) +
                  " of CTA " + coordinates(program, note);
  blocked.loc = s.stmt->loc;
  if (auto *wait = std::get_if<MbarrierWait>(&s.stmt->op)) {
    describeMbarrier(program, *wait, note, blocked);
  } else if (auto *wait = std::get_if<CounterWait>(&s.stmt->op)) {
    blocked.waitsOn = "counter " + program.tensors[wait->counter.object].name +
                      " >= " + std::to_string(int32_t(note.awaited));
    blocked.state = "at " + std::to_string(int64_t(note.seen));
  } else if (auto *named = std::get_if<NamedBarrier>(&s.stmt->op)) {
    blocked.waitsOn = named->id.isConstant() ? "named barrier " + std::to_string(named->id.constant)
                                             : "a named barrier";
    blocked.state = "of " + std::to_string(named->threads) + " threads";
  } else {
    blocked.waitsOn = operationName(s.stmt->op);
    blocked.state = "inside";
  }
  return blocked;
}

} // namespace

std::vector<Blocked> blockedIn(const Program &program, const std::vector<WatchdogNote> &notes) {
  const auto all = synchronisations(program);
  std::vector<Blocked> blocked;
  for (const WatchdogNote &note : notes)
    if (note.sync >= 1 && note.sync <= all.size())
      blocked.push_back(describe(program, all[note.sync - 1], note));
  return blocked;
}

std::string hangSummary(const Program &program, const std::vector<WatchdogNote> &notes) {
  return "kernel " + program.name + " hangs: " + std::to_string(notes.size()) +
         (notes.size() == 1 ? " warp waits" : " warps wait") + " for more than " +
         std::to_string(kLongestWait / 1'000'000'000) + " s";
}

Violation hang(const Program &program, const std::vector<WatchdogNote> &notes) {
  Violation violation;
  violation.rule = "R9";
  violation.message = hangSummary(program, notes);
  violation.blocked = blockedIn(program, notes);
  if (!violation.blocked.empty())
    violation.location = violation.blocked.front().loc;
  return violation;
}

struct HangGuard::State {
  std::atomic<bool> over{false};
  std::thread thread;
};

HangGuard::HangGuard(const Watchdog &watchdog, TellHang tell) : state_(std::make_unique<State>()) {
  state_->thread = std::thread([watchdog, tell = std::move(tell), &over = state_->over] {
    using Clock = std::chrono::steady_clock;
    auto since = Clock::now();
    std::vector<uint32_t> before;
    while (!over) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      std::vector<uint32_t> now;
      const auto notes = watchdog.notes();
      for (const WatchdogNote &n : notes)
        now.insert(now.end(), {n.sync, n.cta[0], n.cta[1], n.cta[2], n.warp});
      if (now.empty() || now != before)
        since = Clock::now();
      before = std::move(now);
      if (Clock::now() - since < std::chrono::nanoseconds(3 * kLongestWait))
        continue;
      std::_Exit(tell(notes)); // the driver would wait for the kernel
    }
  });
}

HangGuard::~HangGuard() {
  state_->over = true;
  state_->thread.join();
}

} // namespace sluice::tool
