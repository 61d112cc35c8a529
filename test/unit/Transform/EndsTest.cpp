// Ends of rings -> who waits, signals, fences, and how often.
#include "Transform/Barrier/Ends.h"

#include "gtest/gtest.h"

#include <functional>
#include <sstream>

namespace sluice {
namespace {

std::string text(Lanes lanes) {
  constexpr const char *names[] = {"all", "warps", "groups", "one"};
  return names[static_cast<size_t>(lanes)];
}

/// "read fence together warps"
std::string text(const Signal &signal) {
  return std::string(signal.ended ? "ended " : "") + (signal.byCopies ? "copies " : "") +
         (signal.read ? "read " : "") + (signal.fence ? "fence " : "") +
         (signal.together ? "together " : "") + text(signal.by);
}

/// "one waits, 512 bytes, commits ...": what a side does.
std::string text(const std::vector<Part> &side, const char *signals) {
  std::ostringstream s;
  for (const Part &part : side) {
    s << "; " << part.agent << ": " << text(part.waits) << (part.free > 0 ? " flipped" : "");
    if (part.bytes > 0)
      s << ", " << part.bytes << " bytes";
    if (part.signal)
      s << ", " << signals << " " << text(*part.signal);
  }
  return s.str();
}

std::string text(const Ends &ends) {
  const Protocol p = protocolOf(ends);
  std::ostringstream s;
  s << p.full << "/" << p.empty << text(p.producers, "commits") << text(p.consumers, "releases");
  for (const Share &share : p.peers)
    s << "; peers along " << share.along;
  return s.str() + (p.tail ? "; tail" : "");
}

const End loader{.agent = "load", .means = {Means::tma}, .warps = 1, .bytes = 32768};
const End copier{.agent = "load", .means = {Means::threads}, .warps = 4};
const End copying{.agent = "load", .means = {Means::copies}, .warps = 4};
const End products{.agent = "mma", .means = {Means::tensorCore}, .warps = 8};
const End functions{.agent = "mma", .means = {Means::threads}, .warps = 4};
const End storer{.agent = "store", .means = {Means::tma}, .warps = 1};

TEST(Ends, OfALoadAndAProduct) {
  EXPECT_EQ(text({{loader}, {products}}),
            "1/8; load: all flipped, 32768 bytes; mma: all, releases warps");
}

// Copies of all lanes say themselves that they have ended, but no fence follows them.
TEST(Ends, OfCopiesThatGoOn) {
  EXPECT_EQ(text({{copying}, {functions}}),
            "128/4; load: all flipped, commits copies all; mma: all, releases together warps");
  EXPECT_EQ(text({{copying}, {products}}),
            "4/8; load: all flipped, commits ended fence together warps; mma: all, releases warps");
  Ends asked{{copying}, {functions}};
  asked.arrive = Lanes::one;
  EXPECT_EQ(text(asked),
            "1/1; load: all flipped, commits ended together one; mma: all, releases together one");
}

// One of several warps issues: the others would miss phases.
TEST(Ends, OfALoadByOneOfSeveralWarps) {
  End ahead = loader;
  ahead.agent = "mma", ahead.warps = 8;
  EXPECT_EQ(text({{ahead}, {products}}),
            "1/8; mma: one flipped, 32768 bytes; mma: all, releases warps");
}

TEST(Ends, OfCopiesByThreads) {
  EXPECT_EQ(text({{copier}, {products}}),
            "4/8; load: all flipped, commits fence together warps; mma: all, releases warps");
  End both = copier;
  both.means.insert(Means::tma), both.bytes = 512;
  EXPECT_EQ(text({{both}, {products}}), "5/8; load: all flipped, 512 bytes, commits fence "
                                        "together warps; mma: all, releases warps");
}

// What threads write and threads read needs no fence, what TMA or products read does.
TEST(Ends, FencesWhatIsReadPastTheThreads) {
  EXPECT_EQ(text({{copier}, {functions}}),
            "4/4; load: all flipped, commits together warps; mma: all, releases together warps");
  EXPECT_EQ(text({{copier}, {functions, products}}),
            "4/12; load: all flipped, commits fence together warps; mma: all, releases together "
            "warps; mma: all, releases warps");
}

TEST(Ends, OfResultsThatTmaStores) {
  EXPECT_EQ(text({{functions}, {storer}}),
            "4/1; mma: all flipped, commits fence together warps; store: all, releases read one");
}

// Where several warps could, one asks TMA for the store, and alone waits for the tile.
TEST(Ends, OfResultsThatOneOfSeveralWarpsStores) {
  const End storers{.agent = "store", .means = {Means::tma}, .warps = 4};
  const End touched{.agent = "store", .means = {Means::tma}, .warps = 4, .touches = true};
  EXPECT_EQ(text({{functions}, {storers}}),
            "4/1; mma: all flipped, commits fence together warps; store: one, releases read one");
  EXPECT_EQ(text({{functions}, {touched}}),
            "4/1; mma: all flipped, commits fence together warps; store: all, releases read one");
}

TEST(Ends, OfResultsThatThreadsStoreToo) {
  End lines = storer;
  lines.means = {Means::threads}, lines.warps = 3;
  EXPECT_EQ(text({{functions}, {lines}}),
            "4/3; mma: all flipped, commits together warps; store: all, releases together warps");
  lines.means.insert(Means::tma);
  EXPECT_EQ(text({{functions}, {lines}}), "4/3; mma: all flipped, commits fence together warps; "
                                          "store: all, releases read together warps");
}

// Who waits for its boxes itself says so when all are there; room is known another way.
TEST(Ends, OfLoadsBoxByBox) {
  const End boxes{.agent = "store", .means = {Means::boxes}};
  EXPECT_EQ(text({{boxes}, {functions}, false}),
            "1/0; store: all flipped, commits one; mma: all, releases together warps");
}

TEST(Ends, OfSeveralConsumers) {
  const End sums{.agent = "sums", .means = {Means::threads}, .warps = 4};
  EXPECT_EQ(text({{loader}, {products, sums}}),
            "1/12; load: all flipped, 32768 bytes; mma: all, releases warps; sums: all, releases "
            "fence together warps");
}

TEST(Ends, OfSeveralProducers) {
  End other = loader;
  other.agent = "residual", other.bytes = 1024;
  EXPECT_EQ(text({{loader, other}, {products}}),
            "2/8; load: all flipped, 32768 bytes; residual: all flipped, 1024 bytes; mma: all, "
            "releases warps");
}

// Slots go back to every CTA that fills them: to this one, and to the others along each direction.
TEST(Ends, OfTilesThatAClusterShares) {
  End shared = loader;
  shared.shares = {{{1, 2, 4}, 1}, {{1, 2, 4}, 2}, {{1, 2, 4}, 1}};
  EXPECT_EQ(text({{shared}, {products}}),
            "1/40; load: all flipped, 32768 bytes; mma: all, releases warps; peers along 1; peers "
            "along 2; tail");
  EXPECT_EQ(text({{shared}, {products}, false}),
            "1/0; load: all flipped, 32768 bytes; mma: all, releases warps; peers along 1; peers "
            "along 2");
}

/// The same ring with something said of it.
std::string with(const std::function<void(Ends &)> &say) {
  Ends ends{{copier}, {products}};
  ends.slots = 3;
  say(ends);
  return text(ends);
}

// A side that nobody waits for has no barrier; the fence stays where the writes end.
TEST(Ends, WithoutASide) {
  EXPECT_EQ(with([](Ends &e) { e.announces = false; }),
            "0/8; load: all flipped, commits fence together warps; mma: all, releases warps");
  EXPECT_EQ(with([](Ends &e) { e.returns = false; }),
            "4/0; load: all flipped, commits fence together warps; mma: all, releases warps");
}

// Bytes are those of the ring that says when the slot is full.
TEST(Ends, AnnounceBytesOnTheFullSide) {
  EXPECT_EQ(with([](Ends &e) { e.producers = {loader}, e.announces = false; }),
            "0/8; load: all flipped; mma: all, releases warps");
}

// Who signals for others does so when they have come; products of a warp wait by themselves.
TEST(Ends, ThatArriveAsAsked) {
  EXPECT_EQ(with([](Ends &e) { e.arrive = Lanes::all; }),
            "128/256; load: all flipped, commits fence all; mma: all, releases all");
  EXPECT_EQ(with([](Ends &e) { e.arrive = Lanes::ofGroups; }),
            "1/2; load: all flipped, commits fence together groups; mma: all, releases together "
            "groups");
  EXPECT_EQ(with([](Ends &e) { e.arrive = Lanes::one; }),
            "1/1; load: all flipped, commits fence together one; mma: all, releases together one");
}

// Of copies one thread knows.
TEST(Ends, OfCopiesArriveAsOne) {
  Ends ends{{loader}, {storer}};
  ends.arrive = Lanes::all;
  EXPECT_EQ(text(ends), "1/1; load: all flipped, 32768 bytes; store: all, releases read one");
}

TEST(Ends, ThatStartFullOrEmpty) {
  const auto free = [](int64_t primed, std::optional<int64_t> empty) {
    Ends ends{{copier}, {products}};
    ends.slots = 4, ends.primed = primed, ends.empty = empty;
    const Protocol p = protocolOf(ends);
    return std::to_string(p.primed) + " " + std::to_string(p.producers[0].free);
  };
  EXPECT_EQ(free(0, {}), "0 4");
  EXPECT_EQ(free(0, 0), "0 0");
  EXPECT_EQ(free(0, 3), "0 3");
  EXPECT_EQ(free(1, {}), "1 4");
  EXPECT_EQ(free(1, 2), "1 3");
}

// TMA fills what threads wrote: what is given back is fenced, if anybody waits for it.
TEST(Ends, FencesWhatTmaFillsAnew) {
  End inPlace = functions;
  inPlace.touches = true;
  EXPECT_EQ(text({{loader}, {inPlace}}),
            "1/4; load: all flipped, 32768 bytes; mma: all, releases fence together warps");
  EXPECT_EQ(text({{copier}, {inPlace}}),
            "4/4; load: all flipped, commits together warps; mma: all, releases together warps");
  EXPECT_EQ(text({{loader}, {inPlace}, false}),
            "1/0; load: all flipped, 32768 bytes; mma: all, releases together warps");
}

// The leader's barrier counts every CTA; it signals each of them.
TEST(Ends, OfTheLeaderAndOfAll) {
  End leading = functions;
  leading.leader = true;
  Ends ends{{copier}, {leading}};
  ends.ctas = 2;
  const Protocol p = protocolOf(ends);
  EXPECT_EQ(p.full, 8);
  EXPECT_EQ(p.empty, 4);
  EXPECT_EQ(p.producers[0].signal->to, Across::leader);
  EXPECT_EQ(p.consumers[0].signal->to, Across::all);
  EXPECT_TRUE(p.producers[0].fromAfar && p.consumers[0].fromAfar);
  End both = copier;
  both.leader = true;
  const Protocol alone = protocolOf({{both}, {leading}});
  EXPECT_EQ(alone.full, 4);
  EXPECT_EQ(alone.producers[0].signal->to, Across::own);
  EXPECT_FALSE(alone.producers[0].fromAfar);
}

const End sender{.agent = "load", .means = {Means::remote}, .warps = 4, .bytes = 8192};

// A producer fills slots of another CTA and announces bytes there; who has taken them tells it.
TEST(Ends, OfPeers) {
  Ends ends{{sender}, {functions}};
  ends.ctas = 4, ends.peer = {.by = 1, .among = {{4}, 0}};
  EXPECT_EQ(text(ends),
            "1/4; load: all flipped, 8192 bytes; mma: all, releases fence together warps; tail");
  const Protocol p = protocolOf(ends);
  EXPECT_EQ(p.producers[0].fills, Across::filled);
  EXPECT_EQ(p.consumers[0].signal->to, Across::filling);
  EXPECT_FALSE(p.consumers[0].fromAfar || p.consumers[0].signal->orders); // bytes tell of copies
  ends.producers = {copier}; // a turn, of what threads wrote to global memory
  const Protocol turn = protocolOf(ends);
  EXPECT_EQ(turn.producers[0].signal->to, Across::filled);
  EXPECT_TRUE(turn.producers[0].signal->orders && turn.consumers[0].fromAfar && !turn.tail);
}

// Distances go around; a partner is one's own partner.
TEST(Ends, WhoIsAPeer) {
  EXPECT_FALSE(Peer().isOther());
  const Peer before{.by = -1, .among = {{4}, 0}};
  EXPECT_TRUE(before.isOther());
  EXPECT_EQ(before.distance(false), 3);
  EXPECT_EQ(before.distance(true), 1);
  const Peer below{.by = 5, .among = {{2, 3, 1}, 1}};
  EXPECT_EQ(below.distance(false), 2);
  EXPECT_EQ(below.distance(true), 1);
  Ends ends{{sender}, {functions}};
  ends.ctas = 4, ends.peer = {.by = 1, .flips = true, .among = {{4}, 0}};
  EXPECT_EQ(protocolOf(ends).producers[0].fills, Across::filled);
  EXPECT_EQ(protocolOf(ends).consumers[0].signal->to, Across::filling);
}

// Every CTA brings a part to the leader, or the leader brings a tile to each.
TEST(Ends, OfTilesToAndFromTheLeader) {
  End leading = functions;
  leading.leader = true;
  Ends in{{sender}, {leading}};
  in.ctas = 4;
  EXPECT_EQ(protocolOf(in).full, 4);
  EXPECT_EQ(protocolOf(in).empty, 4);
  EXPECT_EQ(protocolOf(in).producers[0].fills, Across::leader);
  End bringing = sender;
  bringing.leader = true;
  Ends out{{bringing}, {functions}};
  out.ctas = 4;
  EXPECT_EQ(protocolOf(out).full, 1);
  EXPECT_EQ(protocolOf(out).empty, 16);
  EXPECT_EQ(protocolOf(out).producers[0].fills, Across::all);
}

// Of a pair both CTAs bring tiles for the products of the leader, which frees the slots of both; it
// hands sums to threads of both, whose reads its next products come behind.
TEST(Ends, OfPairs) {
  const End multiplies{.agent = "mma", .means = {Means::commits}, .warps = 1, .leader = true};
  Ends tiles{{loader}, {multiplies}};
  tiles.ctas = 2;
  const Protocol in = protocolOf(tiles);
  EXPECT_EQ(in.full, 2);
  EXPECT_EQ(in.empty, 1);
  EXPECT_TRUE(in.tail);
  EXPECT_EQ(in.producers[0].fills, Across::leader);
  EXPECT_EQ(in.consumers[0].signal->to, Across::all);
  EXPECT_FALSE(in.producers[0].fromAfar || in.consumers[0].fromAfar); // ends of loads and products
  Ends sums{{multiplies}, {{.agent = "epilogue", .means = {Means::lanes}, .warps = 4}}};
  sums.ctas = 2;
  const Protocol out = protocolOf(sums);
  EXPECT_EQ(out.full, 1);
  EXPECT_EQ(out.empty, 8);
  EXPECT_EQ(out.producers[0].signal->to, Across::all);
  EXPECT_TRUE(out.consumers[0].signal->orders && out.producers[0].fromAfar);
  EXPECT_FALSE(out.consumers[0].fromAfar);
}

/// Stores to tensor memory: all threads of both CTAs, behind their fence, at the barrier of the
/// leader, where products wait for what the two have written.
TEST(Ends, OfStoresToTensorMemory) {
  const End multiplies{.agent = "mma", .means = {Means::commits}, .warps = 1, .leader = true};
  Ends ready{{{.agent = "correction", .means = {Means::lanes}, .warps = 4}}, {multiplies}};
  ready.returns = false;
  ready.ctas = 2;
  EXPECT_EQ(text(ready), "8/0; correction: all flipped, commits together warps; mma: all, releases "
                         "one");
  ready.arrive = Lanes::all;
  const Protocol p = protocolOf(ready);
  EXPECT_EQ(p.full, 256);
  const Signal &commit = *p.producers[0].signal;
  EXPECT_TRUE(commit.ofLanes && commit.orders && !commit.fence && !commit.together);
  EXPECT_EQ(commit.to, Across::leader);
  EXPECT_TRUE(p.consumers[0].fromAfar);
}

// A number lies in the leader's own slot, and is copied to the others.
TEST(Ends, OfNumbers) {
  const End drawing{
      .agent = "draw", .means = {Means::numbers}, .warps = 1, .bytes = 16, .leader = true};
  Ends ends{{drawing}, {functions}};
  ends.ctas = 2;
  EXPECT_EQ(text(ends), "1/8; draw: all flipped, 16 bytes, commits together warps; mma: all, "
                        "releases fence together warps; tail");
  EXPECT_EQ(protocolOf(ends).producers[0].fills, Across::others);
  EXPECT_EQ(protocolOf(ends).producers[0].signal->to, Across::own);
}

// A response comes to the slots of every CTA, whose readers give it back to the leader; who asks
// reads his own.
TEST(Ends, OfResponses) {
  const End asks{
      .agent = "ask", .means = {Means::responses}, .warps = 1, .bytes = 16, .leader = true};
  const End reads{.agent = "ask", .means = {Means::threads}, .warps = 1, .leader = true};
  Ends ends{{asks}, {functions, reads}};
  ends.ctas = 2;
  EXPECT_EQ(text(ends), "1/9; ask: all flipped, 16 bytes; mma: all, releases fence together warps; "
                        "ask: all, releases fence together warps; tail");
  EXPECT_EQ(protocolOf(ends).producers[0].fills, Across::all);
  EXPECT_EQ(protocolOf(ends).consumers[0].signal->to, Across::leader);
  EXPECT_EQ(protocolOf(ends).consumers[1].signal->to, Across::own);
}

// Without a cluster nobody is another CTA.
TEST(Ends, OfResponsesToOneCta) {
  const End asks{.agent = "ask", .means = {Means::responses}, .warps = 1, .bytes = 16};
  EXPECT_EQ(text({{asks}, {functions}}),
            "1/4; ask: all flipped, 16 bytes; mma: all, releases fence together warps");
  EXPECT_EQ(protocolOf({{asks}, {functions}}).producers[0].fills, Across::own);
}

TEST(Ends, MasksOfThoseThatShare) {
  const Share rows{{1, 2, 4}, 1}, columns{{1, 2, 4}, 2};
  EXPECT_EQ(rows.stride(), 1);
  EXPECT_EQ(rows.mask(4), 0b110000);
  EXPECT_EQ(columns.stride(), 2);
  EXPECT_EQ(columns.mask(1), 0b10101010);
}

TEST(Ends, AreFoundByRole) {
  const Protocol p = protocolOf({{loader}, {products}});
  ASSERT_NE(partOf(p.producers, "load"), nullptr);
  EXPECT_EQ(partOf(p.producers, "load")->bytes, 32768);
  EXPECT_EQ(partOf(p.producers, "mma"), nullptr);
}

} // namespace
} // namespace sluice
