// Machine code on disk, with other processes at work in the same folder.
#include "Runtime/Compile.h"
#include "Runtime/CubinCache.h"

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace sluice::test {
namespace {

namespace fs = std::filesystem;

class Cache : public testing::Test {
protected:
  Cache() {
    std::string path = (fs::temp_directory_path() / "sluice-cache-XXXXXX").string();
    folder = ::mkdtemp(path.data());
  }
  ~Cache() override { fs::remove_all(folder); }
  size_t files() const {
    return size_t(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
  }
  fs::path folder;
};

/// Runs `body` in a child; its exit code.
template <typename Body> int inChild(Body body) {
  const pid_t child = ::fork();
  if (child == 0)
    ::_exit(body());
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST_F(Cache, KeepsWhatItWasGiven) {
  const CubinCache cache((folder / "a" / "b").string());
  const std::string cubin("\x7f"
                          "ELF\0\n\nx",
                          8);
  EXPECT_FALSE(cache.find("key"));
  cache.store("key", cubin);
  EXPECT_EQ(cache.find("key"), cubin);
  EXPECT_FALSE(cache.find("other"));
  cache.store("key", "newer");
  EXPECT_EQ(cache.find("key"), "newer");
}

TEST_F(Cache, BelievesNoDamagedFile) {
  const CubinCache cache(folder.string());
  cache.store("key", "machine code");
  std::string bytes;
  std::getline(std::ifstream(folder / "key.cubin"), bytes, '\0');
  for (size_t length = 0; length < bytes.size(); ++length) {
    std::ofstream(folder / "key.cubin") << bytes.substr(0, length);
    EXPECT_FALSE(cache.find("key")) << length;
  }
  bytes[70] ^= 1;
  std::ofstream(folder / "key.cubin") << bytes;
  EXPECT_FALSE(cache.find("key"));
}

TEST_F(Cache, ManyProcessesAtOnce) {
  const CubinCache cache(folder.string());
  const std::string cubin(300'000, 'c');
  std::vector<pid_t> children;
  for (int c = 0; c < 6; ++c) {
    children.push_back(::fork());
    if (children.back() == 0) {
      bool good = true;
      for (int i = 0; i < 40; ++i) {
        cache.store("key", cubin);
        good &= cache.find("key") == cubin; // whole, whoever wrote it
      }
      ::_exit(good ? 0 : 1);
    }
  }
  for (pid_t child : children) {
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  EXPECT_EQ(files(), 1u); // no temporaries left
}

TEST_F(Cache, FullDiskIsDoneWithout) {
  const CubinCache cache(folder.string());
  EXPECT_EQ(inChild([&] {
              std::signal(SIGXFSZ, SIG_IGN);
              const rlimit limit{1000, 1000};
              ::setrlimit(RLIMIT_FSIZE, &limit); // a write beyond fails, as on a full disk
              cache.store("key", std::string(5000, 'c'));
              return cache.find("key") ? 1 : 0;
            }),
            0);
  EXPECT_EQ(files(), 0u);
}

TEST_F(Cache, FolderThatCannotBe) {
  std::ofstream(folder / "file") << "text";
  const CubinCache cache((folder / "file" / "cache").string());
  cache.store("key", "machine code");
  EXPECT_FALSE(cache.find("key"));
  const CubinCache none("");
  none.store("key", "machine code");
  EXPECT_FALSE(none.find("key"));
}

TEST_F(Cache, FoldersByEnvironment) {
  const auto place = [](const char *named, const char *caches, const char *home) {
    const struct {
      const char *name, *value;
    } variables[] = {{"SLUICE_CACHE_DIR", named}, {"XDG_CACHE_HOME", caches}, {"HOME", home}};
    for (const auto &v : variables)
      v.value ? ::setenv(v.name, v.value, 1) : ::unsetenv(v.name);
    return CubinCache::standard().folder();
  };
  EXPECT_EQ(inChild([&] {
              return !(place("/c", "/x", "/h") == "/c" && place("", "/x", "/h") == "" &&
                       place(nullptr, "/x", "/h") == "/x/sluice" &&
                       place(nullptr, nullptr, "/h") == "/h/.cache/sluice" &&
                       place(nullptr, "", nullptr) == "");
            }),
            0);
}

TEST_F(Cache, KeyCoversTextNameAndTarget) {
  const std::string key = cubinKey("text", "k");
  EXPECT_EQ(key.size(), 64u);
  EXPECT_EQ(cubinKey("text", "k"), key);
  EXPECT_NE(cubinKey("text ", "k"), key);
  EXPECT_NE(cubinKey("tex", "tk"), key);
  EXPECT_EQ(cubinKey("text", "k", Target::sm_90a), key);
  EXPECT_NE(cubinKey("text", "k", Target::sm_100a), key);
}

TEST_F(Cache, CompilationTakesItFromThere) {
  const CubinCache cache(folder.string());
  cache.store(cubinKey("not CUDA", "k"), "machine code");
  auto cubin = compileCuda("not CUDA", "k", Target::sm_90a, cache);
  ASSERT_TRUE(cubin) << cubin.error().message;
  EXPECT_EQ(*cubin, "machine code");
}

} // namespace
} // namespace sluice::test
