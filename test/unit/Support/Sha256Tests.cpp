#include "Support/Sha256.h"

#include <gtest/gtest.h>

namespace sluice::test {
namespace {

// FIPS 180-4 examples, as NIST publishes them, and of 1000000 letters "a".
TEST(Sha256, KnownAnswers) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, PiecesDoNotMatter) {
  const std::string text(300, 'x');
  for (size_t cut : {0, 1, 63, 64, 65, 128, 299})
    EXPECT_EQ(Sha256().add(text.substr(0, cut)).add(text.substr(cut)).hex(), sha256(text)) << cut;
}

} // namespace
} // namespace sluice::test
