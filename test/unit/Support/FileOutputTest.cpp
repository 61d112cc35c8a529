#include "Support/FileOutput.h"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <sys/resource.h>
#include <unistd.h>

using namespace sluice;
namespace fs = std::filesystem;

namespace {

class FileOutput : public testing::Test {
protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("sluice-file-output-" + std::to_string(::getpid()));
    fs::create_directory(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string at(const std::string &name) const { return (folder_ / name).string(); }
  std::string content(const std::string &name) const {
    std::ifstream in(at(name), std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
  }
  size_t entries() const {
    return std::distance(fs::directory_iterator(folder_), fs::directory_iterator{});
  }

  fs::path folder_;
};

TEST_F(FileOutput, WritesTextAndBinary) {
  std::string bytes("a\0b\xff", 4);
  auto written = writeFile(at("x"), bytes);
  ASSERT_TRUE(written);
  EXPECT_EQ(*written, 4);
  EXPECT_EQ(content("x"), bytes);
  EXPECT_EQ(entries(), 1u);
}

TEST_F(FileOutput, PiecesFollowEachOther) {
  ASSERT_TRUE(writePieces(at("x"), {"head", "", "data"}));
  EXPECT_EQ(content("x"), "headdata");
}

TEST_F(FileOutput, ReplacesAndKeepsPermissions) {
  ASSERT_TRUE(writeFile(at("x"), "a long old text"));
  fs::permissions(at("x"), fs::perms::owner_all);
  ASSERT_TRUE(writeFile(at("x"), "new"));
  EXPECT_EQ(content("x"), "new");
  EXPECT_EQ(fs::status(at("x")).permissions(), fs::perms::owner_all);
}

TEST_F(FileOutput, FolderOfFiles) {
  auto written = writeFolder(at("out"), {{"x.cu", "kernel"}, {"sluice/a.cuh", "a"}});
  ASSERT_TRUE(written) << written.error().message;
  EXPECT_EQ(*written, 7);
  EXPECT_EQ(content("out/x.cu"), "kernel");
  EXPECT_EQ(content("out/sluice/a.cuh"), "a");
  ASSERT_TRUE(writeFolder(at("out"), {{"x.cu", "newer"}}));
  EXPECT_EQ(content("out/x.cu"), "newer");
}

TEST_F(FileOutput, FolderOfFilesIsAllOrNothing) {
  auto written = writeFolder(at("new"), {{"x", "1"}, {"x/y", "2"}});
  EXPECT_FALSE(written);
  EXPECT_EQ(entries(), 0u); // no folder is left
  fs::create_directories(at("old/second"));
  ASSERT_TRUE(writeFile(at("old/first"), "before"));
  written = writeFolder(at("old"), {{"first", "after"}, {"second", "a folder is in the way"}});
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().message, "cannot write '" + at("old/second") + "': Is a directory");
  EXPECT_EQ(content("old/first"), "before");
  EXPECT_EQ(std::distance(fs::directory_iterator(at("old")), fs::directory_iterator{}), 2);
  ASSERT_TRUE(writeFile(at("file"), ""));
  written = writeFolder(at("file"), {{"x", "1"}});
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().message, "cannot write '" + at("file/x") + "': Not a directory");
}

TEST_F(FileOutput, FollowsLinks) {
  ASSERT_TRUE(writeFile(at("x"), "old"));
  fs::create_symlink(at("x"), at("link"));
  ASSERT_TRUE(writeFile(at("link"), "new"));
  EXPECT_TRUE(fs::is_symlink(at("link")));
  EXPECT_EQ(content("x"), "new");
}

TEST_F(FileOutput, LongestName) {
  std::string longest(255, 'n');
  EXPECT_TRUE(writeFile(at(longest), "x"));
  auto tooLong = writeFile(at(longest + "n"), "x");
  ASSERT_FALSE(tooLong);
  EXPECT_NE(tooLong.error().message.find("File name too long"), std::string::npos);
  EXPECT_EQ(entries(), 1u);
}

TEST_F(FileOutput, MissingFolder) {
  auto r = writeFile(at("no/such"), "x");
  ASSERT_FALSE(r);
  EXPECT_EQ(r.error().message, "cannot write '" + at("no/such") + "': No such file or directory");
}

TEST_F(FileOutput, FolderAndEmptyPath) {
  auto r = writeFile(folder_.string(), "x");
  ASSERT_FALSE(r);
  EXPECT_NE(r.error().message.find("Is a directory"), std::string::npos);
  EXPECT_FALSE(writeFile(at("new/"), "x"));
  EXPECT_FALSE(writeFile("", "x"));
  EXPECT_EQ(entries(), 0u);
}

TEST_F(FileOutput, FullDisk) {
  if (!fs::exists("/dev/full"))
    GTEST_SKIP();
  auto r = writeFile("/dev/full", "x");
  ASSERT_FALSE(r);
  EXPECT_NE(r.error().message.find("No space left on device"), std::string::npos);
  EXPECT_TRUE(writeFile("/dev/null", "x"));
}

// The disk fills up in the middle of a write: the limit on file size does the same.
TEST_F(FileOutput, FailureInTheMiddleLeavesNothing) {
  ASSERT_TRUE(writeFile(at("x"), "old"));
  rlimit before, small;
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  small = before;
  small.rlim_cur = 4096;
  auto handler = std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  auto r = writeFile(at("x"), std::string(10000, 'n'));
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  ASSERT_FALSE(r);
  EXPECT_NE(r.error().message.find("File too large"), std::string::npos);
  EXPECT_EQ(content("x"), "old");
  EXPECT_EQ(entries(), 1u);
}

TEST_F(FileOutput, FailureKeepsTheOldFileAndNoTemporary) {
  fs::create_directory(at("d"));
  fs::create_symlink(at("d"), at("link")); // stat sees a folder through the link
  ASSERT_TRUE(writeFile(at("x"), "old"));
  EXPECT_FALSE(writeFile(at("link"), "new"));
  EXPECT_FALSE(writeFile(at("x/y"), "new"));
  EXPECT_EQ(content("x"), "old");
  EXPECT_EQ(entries(), 3u);
}

} // namespace
