#include "Support/Npy.h"

#include "Support/FileOutput.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <random>
#include <sys/stat.h>
#include <unistd.h>

using namespace sluice;
namespace fs = std::filesystem;

namespace {

/// A file of version `major` with this dictionary and this many bytes of data 0, 1, 2 ...
std::string npy(const std::string &dictionary, size_t dataBytes, int major = 1) {
  std::string text = "\x93NUMPY" + std::string{static_cast<char>(major), '\0'};
  for (int i = 0; i < (major == 1 ? 2 : 4); ++i)
    text += static_cast<char>(dictionary.size() >> (8 * i));
  text += dictionary;
  for (size_t i = 0; i < dataBytes; ++i)
    text += static_cast<char>(i);
  return text;
}

std::string dictionary(const std::string &descr, const std::string &shape,
                       const std::string &fortran = "False") {
  return "{'descr': '" + descr + "', 'fortran_order': " + fortran + ", 'shape': " + shape + ", }\n";
}

/// The error of a header, "" when it is accepted.
std::string wrong(const std::string &file, std::optional<DType> expected = {}) {
  auto header = parseNpyHeader(file, static_cast<int64_t>(file.size()), expected);
  return header ? "" : header.error().message;
}

class Npy : public testing::Test {
protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("sluice-npy-" + std::to_string(::getpid()));
    fs::create_directory(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string at(const std::string &name) const { return (folder_ / name).string(); }
  std::string put(const std::string &name, const std::string &bytes) const {
    EXPECT_TRUE(writeFile(at(name), bytes));
    return at(name);
  }
  std::string get(const std::string &name) const {
    std::ifstream in(at(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  fs::path folder_;
};

TEST_F(Npy, KeepsTypeShapeOrderAndValues) {
  for (DType type : {DType::f16, DType::bf16, DType::f32, DType::i32, DType::s8, DType::i1,
                     DType::index, DType::e4m3, DType::e5m2})
    for (int minor : {0, 1}) {
      HostTensor tensor = HostTensor::dense(type, {3, 2}, minor);
      for (int64_t i = 0; i < 6; ++i)
        tensor.set({i / 2, i % 2}, static_cast<double>(i % 2));
      ASSERT_TRUE(writeNpy(at("t.npy"), tensor));
      auto back = readNpy(at("t.npy"), type);
      ASSERT_TRUE(back) << back.error().message;
      EXPECT_EQ(back->type, type);
      EXPECT_EQ(back->extents, tensor.extents);
      EXPECT_EQ(back->strides, tensor.strides);
      EXPECT_EQ(back->bytes, tensor.bytes);
    }
}

TEST_F(Npy, WritesWhatNumpyWrites) {
  HostTensor tensor = HostTensor::dense(DType::f32, {3}, 0);
  ASSERT_TRUE(writeNpy(at("t.npy"), tensor));
  std::string dict = "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }";
  dict.append(118 - 1 - dict.size(), ' ');
  EXPECT_EQ(get("t.npy"), npy(dict + "\n", 0) + std::string(12, '\0'));
}

TEST_F(Npy, EveryRankAndEmptyTensors) {
  for (std::vector<int64_t> extents :
       {std::vector<int64_t>{}, {5}, {0}, {2, 0, 3}, {2, 3, 4, 2}, {1, 1}}) {
    HostTensor tensor = HostTensor::dense(DType::f32, extents, int(extents.size()) - 1);
    ASSERT_TRUE(writeNpy(at("t.npy"), tensor));
    auto back = readNpy(at("t.npy"));
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_EQ(back->extents, extents);
    EXPECT_EQ(back->bytes.size(), tensor.bytes.size());
  }
}

TEST_F(Npy, StridedTensorsArePacked) {
  HostTensor tensor{DType::s8, {2, 2}, {4, 1}, std::vector<std::byte>(8)};
  for (int i = 0; i < 8; ++i)
    tensor.bytes[size_t(i)] = std::byte(i);
  ASSERT_TRUE(writeNpy(at("t.npy"), tensor));
  auto back = readNpy(at("t.npy"));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->strides, (std::vector<int64_t>{2, 1}));
  EXPECT_EQ(back->at({0, 1}), 1);
  EXPECT_EQ(back->at({1, 0}), 4);
}

TEST_F(Npy, ReadsFortranOrderOfRankThree) {
  auto tensor = readNpy(put("t.npy", npy(dictionary("|i1", "(2, 3, 2)", "True"), 12)));
  ASSERT_TRUE(tensor);
  EXPECT_EQ(tensor->strides, (std::vector<int64_t>{1, 2, 6}));
  EXPECT_EQ(tensor->at({1, 2, 1}), 11);
}

TEST(NpyHeader, EveryVersionAndSpelling) {
  for (int major : {1, 2, 3})
    EXPECT_EQ(wrong(npy(dictionary("<f4", "(2,)"), 8, major)), "");
  EXPECT_EQ(wrong(npy("{\"shape\":(2,2),\"descr\":\"<f2\",\"fortran_order\":True}", 8)), "");
  EXPECT_EQ(wrong(npy(dictionary("<f4", "()"), 4)), "");
}

TEST(NpyHeader, ExpectedTypeSettlesSharedNames) {
  std::string bytes = npy(dictionary("|u1", "(1,)"), 1), words = npy(dictionary("<V2", "(1,)"), 2);
  EXPECT_EQ(parseNpyHeader(bytes, int64_t(bytes.size()), DType::e5m2)->type, DType::e5m2);
  EXPECT_EQ(parseNpyHeader(bytes, int64_t(bytes.size()))->type, DType::e4m3);
  EXPECT_EQ(parseNpyHeader(words, int64_t(words.size()))->type, DType::bf16);
  EXPECT_EQ(wrong(npy(dictionary("<f4", "(1,)"), 4), DType::f16),
            "the file holds f32 ('<f4'), f16 ('<f2') is needed");
}

TEST(NpyHeader, WrongFilesAreNamed) {
  EXPECT_EQ(wrong(""), "not a .npy file");
  EXPECT_EQ(wrong("PK\3\4 a zip archive"), "not a .npy file");
  EXPECT_EQ(wrong("\x93NUMPY\1"), "the file ends inside the header");
  EXPECT_EQ(wrong("\x93NUMPY" + std::string("\2\0\1\0", 4)), "the file ends inside the header");
  EXPECT_EQ(wrong(npy("", 0, 4)), ".npy version 4.0 is not supported; 1.0, 2.0 and 3.0 are");
  EXPECT_EQ(wrong(npy(dictionary("<f4", "(2,)"), 8).substr(0, 30)),
            "the file ends inside the header");
  EXPECT_EQ(wrong(npy(std::string(70000, ' '), 0, 2)), "the header is longer than 65536 bytes");
}

TEST(NpyHeader, WrongDictionariesAreNamed) {
  EXPECT_EQ(wrong(npy("[1, 2]", 0)), "the header is not a dictionary");
  EXPECT_EQ(wrong(npy("", 0)), "the header is not a dictionary");
  EXPECT_EQ(wrong(npy("{}", 0)), "the header has no 'descr'");
  EXPECT_EQ(wrong(npy("{'descr': '<f4', 'shape': ()}", 4)), "the header has no 'fortran_order'");
  EXPECT_EQ(wrong(npy("{'descr': '<f4', 'fortran_order': True}", 4)), "the header has no 'shape'");
  EXPECT_EQ(wrong(npy("{'descr': '<f4', 'descr': '<f4'}", 0)),
            "the header has an unknown or repeated key");
  EXPECT_EQ(wrong(npy("{'descr': [('a', '<f4')]}", 0)), "structured dtypes are not supported");
  EXPECT_EQ(wrong(npy("{'descr': '<f4'", 0)), "the header is malformed at its character 15");
  EXPECT_EQ(wrong(npy(dictionary("<f4", "(2)"), 8)), "the header is malformed at its character 52");
  EXPECT_EQ(wrong(npy(dictionary("<f4", "(2,)") + "x", 8)),
            "the header is malformed at its character 58");
  EXPECT_EQ(wrong(npy(dictionary("<f4", "(2,)", "Maybe"), 8)),
            "the header is malformed at its character 34");
}

TEST(NpyHeader, WrongTypesAndShapesAreNamed) {
  EXPECT_EQ(wrong(npy(dictionary(">f4", "(2,)"), 8)),
            "dtype '>f4' is not supported; save it as float16, float32, int32 or int8, "
            "little-endian");
  EXPECT_EQ(wrong(npy(dictionary("<f4", "(-3, 2)"), 8)), "negative extent -3 in the shape");
  EXPECT_EQ(wrong(npy(dictionary("<f4", "(99999999999999999999,)"), 8)),
            "an extent of the shape is too large");
  EXPECT_EQ(wrong(npy(dictionary("<f4", "(9223372036854775807, 9223372036854775807)"), 8)),
            "the shape has more elements than memory can address");
  EXPECT_EQ(wrong(npy(dictionary("<f4", "(0, 9223372036854775807, 9223372036854775807)"), 0)),
            "the shape has more elements than memory can address");
  EXPECT_EQ(wrong(npy(dictionary("<f4", "(1000000000000,)"), 8)),
            "the header promises 4000000000000 bytes of data, the file has 8");
  EXPECT_EQ(wrong(npy(dictionary("<f4", "(2,)"), 9)),
            "the header promises 8 bytes of data, the file has 9");
  std::string ones = "(";
  for (int i = 0; i < 33; ++i)
    ones += "1,";
  EXPECT_EQ(wrong(npy(dictionary("<f4", ones + ")"), 4)), "more than 32 dimensions");
}

TEST_F(Npy, UnreadablePathsAreNamed) {
  auto message = [](const std::string &path) { return readNpy(path).error().message; };
  EXPECT_EQ(message(at("none")), "cannot read '" + at("none") + "': No such file or directory");
  EXPECT_EQ(message(folder_.string()), "cannot read '" + folder_.string() + "': Is a directory");
  ASSERT_EQ(::mkfifo(at("pipe").c_str(), 0600), 0);
  EXPECT_EQ(message(at("pipe")), "cannot read '" + at("pipe") + "': not a regular file");
  put("empty", "");
  EXPECT_EQ(message(at("empty")), "cannot read '" + at("empty") + "': not a .npy file");
  auto failed = writeNpy(folder_.string(), HostTensor::dense(DType::f32, {1}, 0));
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().message, "cannot write '" + folder_.string() + "': Is a directory");
}

/// Random edits of valid headers: an answer or an error, and an answer is true to the file's size.
TEST(NpyHeader, SurvivesMutation) {
  std::mt19937_64 random(1);
  const std::vector<std::string> seeds = {npy(dictionary("<f4", "(2, 3)"), 24),
                                          npy(dictionary("<f2", "(4,)", "True"), 8, 2),
                                          npy(dictionary("|i1", "()"), 1, 3)};
  const std::string alphabet = std::string("{}()[]',:-0123456789<>|fiuVTrue \\\n\xff") + '\0';
  int accepted = 0;
  for (int n = 0; n < 20000; ++n) {
    std::string text = seeds[random() % seeds.size()];
    for (uint64_t edits = 1 + random() % 3; edits > 0 && !text.empty(); --edits) {
      size_t at = random() % text.size();
      char c = random() % 4 ? alphabet[random() % alphabet.size()] : static_cast<char>(random());
      switch (random() % 4) {
      case 0:
        text.insert(at, 1, c);
        break;
      case 1:
        text.erase(at, 1 + random() % 4);
        break;
      case 2:
        text.resize(at + 1);
        break;
      default:
        text[at] = c;
      }
    }
    int64_t size = static_cast<int64_t>(text.size());
    auto header = parseNpyHeader(text, size);
    if (!header) {
      ASSERT_FALSE(header.error().message.empty());
      continue;
    }
    ++accepted;
    int64_t bytes = byteSize(header->type);
    for (int64_t e : header->extents)
      bytes *= e;
    ASSERT_EQ(bytes, header->dataBytes);
    ASSERT_EQ(header->dataOffset + header->dataBytes, size);
  }
  EXPECT_GT(accepted, 100);
}

} // namespace
