// Check of the parsers of native/radio with random and damaged frames, captures and netlink answers, to be built with
// AddressSanitizer and UBSan. Prints the failed check and exits with 1; otherwise prints the numbers of rounds and of
// frames that passed.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#include "../radio/capture_file.h"
#include "../radio/client.h"
#include "../radio/netlink.h"
#include "../radio/sieve.h"
#include "../radio/wiphy.h"
#include "chance.h"

namespace {

using namespace dunlin;
using namespace dunlin::radio;
using List = std::vector<uint8_t>;

[[noreturn]] void Fail(const char* what, size_t where) {
  std::printf("%s (%zu)\n", what, where);
  std::exit(1);
}

/// Bytes in memory of exactly their size, so that the sanitizer finds every read beyond the end.
class Exact {
 public:
  explicit Exact(const List& list) : memory_(new uint8_t[list.size()]), size_(list.size()) {
    std::copy(list.begin(), list.end(), memory_.get());
  }
  operator Bytes() const { return {memory_.get(), size_}; }

 private:
  std::unique_ptr<uint8_t[]> memory_;
  size_t size_;
};

void Append(List& list, std::initializer_list<int> bytes) {
  for (int byte : bytes) list.push_back(static_cast<uint8_t>(byte));
}

/// Returns a radiotap packet with a frame of one kind, and an element that begins with `mark` after the fixed part.
List Frame(int kind, std::initializer_list<int> mark) {
  List frame;
  Append(frame, {0, 0, 15, 0, 0x2a, 0, 0, 0, 0, 0, 0x85, 9, 0, 0, 0xc3});
  Append(frame, {kind});
  frame.resize(frame.size() + 23, 1);
  if (kind != 0xd0) frame.resize(frame.size() + 12, 2);
  Append(frame, mark);
  frame.resize(frame.size() + 25, 3);
  return frame;
}

List Capture(const List& frame, bool is_pcapng) {
  List file(frame.size() + 256);
  if (is_pcapng) {
    size_t size = WriteHeader(file, kLinkRadiotap, {frame.data(), 5});
    size += WritePacket(std::span(file).subspan(size), 7, {frame.data(), frame.size()}, frame.size());
    file.resize(size);
    return file;
  }
  file.clear();
  Append(file, {0xd4, 0xc3, 0xb2, 0xa1, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 0, 0, 127, 0, 0, 0});
  Append(file, {9, 0, 0, 0, 7, 0, 0, 0, static_cast<int>(frame.size()), 0, 0, 0, static_cast<int>(frame.size()), 0, 0, 0});
  file.insert(file.end(), frame.begin(), frame.end());
  return file;
}

size_t PacketsOf(const List& list) {
  Exact bytes(list);
  CaptureFile file(bytes);
  CapturedPacket packet;
  size_t count = 0;
  for (; file.Next(packet); count++) {
    volatile uint8_t last = packet.bytes.size ? packet.bytes.data[packet.bytes.size - 1] : 0;
    (void)last;
    if (count > list.size()) Fail("a capture has no end", list.size());
  }
  return count;
}

/// Returns an answer of the kernel to a query of an adapter: a band with two frequencies, and the interface types.
List Answer() {
  List list;
  Append(list, {68, 0, 0, 0, 28, 0, 2, 0, 5, 0, 0, 0, 0, 0, 0, 0, 3, 1, 0, 0});
  Append(list, {36, 0, 22, 128, 32, 0, 0, 128, 28, 0, 1, 128});
  Append(list, {8, 0, 0, 128, 8, 0, 1, 0});  // truncated: the frequency is beyond the end of its attribute
  Append(list, {12, 0, 1, 128, 8, 0, 1, 0, 0x85, 9, 0, 0});
  Append(list, {4, 0, 0, 0});
  Append(list, {8, 0, 32, 128, 4, 0, 6, 0});
  Append(list, {20, 0, 0, 0, 3, 0, 2, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  return list;
}

void ReadAnswer(const List& list) {
  Exact bytes(list);
  Wiphy wiphy;
  int error = 0;
  ReadAnswers(bytes, 5, error, [&](Bytes attributes) { wiphy.Read(attributes); });
}

void Spoil(Chance& chance, List& list) {
  for (int left = chance.Below(4); left > 0 && !list.empty(); left--)
    list[chance.Below(static_cast<int>(list.size()))] = static_cast<uint8_t>(chance.OneIn(3) ? 255 * chance.Below(2) : chance.Below(256));
  if (chance.OneIn(4)) list.resize(chance.Below(static_cast<int>(list.size()) + 1));
}

bool Passes(const List& frame) { return Sift(Exact(frame), frame.size()).passes; }

void CheckSieve() {
  const std::initializer_list<int> marks[] = {{221, 28, 0xfa, 0x0b, 0xbc}, {221, 28, 0x26, 0x37, 0x12}, {221, 28, 0x6a, 0x5c, 0x35}};
  for (const auto& mark : marks) {
    List beacon = Frame(0x80, mark), response = Frame(0x50, mark);
    if (!Passes(beacon) || !Passes(response)) Fail("a beacon with a mark does not pass", 0);
    if (Passes(Frame(0x40, mark)) || Passes(Frame(0xd0, mark)) || Passes(Frame(0x08, mark))) Fail("a frame of another kind passes", 0);
    for (int length : {0, 255}) {
      beacon[15 + 24 + 12 + 1] = static_cast<uint8_t>(length);
      if (!Passes(beacon)) Fail("an element of a false length does not pass", static_cast<size_t>(length));
    }
    // A truncated frame passes if its mark is complete. A frame with an incomplete radiotap header passes too, since
    // the daemon counts such frames.
    for (size_t size = 0; size <= beacon.size(); size++) {
      List cut(beacon.begin(), beacon.begin() + static_cast<long>(size));
      if (Passes(cut) != (size < 15 || size >= 15 + 24 + 12 + 5)) Fail("a truncated frame passes or fails wrongly", size);
    }
  }
  if (!Passes(Frame(0xd0, {4, 9, 0x50, 0x6f, 0x9a, 0x13}))) Fail("a NAN action frame does not pass", 0);
  if (Passes(Frame(0xd0, {4, 9, 0x50, 0x6f, 0x9b, 0x13}))) Fail("another action frame passes", 0);
  if (Passes(Frame(0x80, {221, 28, 0, 0x50, 0xf2}))) Fail("a neighbour's beacon passes", 0);
}

}  // namespace

int main(int, char** argv) {
  Chance chance(std::strtoull(argv[1], nullptr, 10));
  long rounds = std::strtol(argv[2], nullptr, 10);
  CheckSieve();
  const List frames[] = {Frame(0x80, {221, 28, 0xfa, 0x0b, 0xbc}), Frame(0xd0, {4, 9, 0x50, 0x6f, 0x9a, 0x13}), Frame(0x50, {0x26, 0x37, 0x12})};
  const List captures[] = {Capture(frames[0], true), Capture(frames[1], false)};
  for (const List& capture : captures)
    if (PacketsOf(capture) != 1) Fail("a capture has another number of packets", PacketsOf(capture));
  const List answer = Answer();
  std::vector<uint8_t> record(kSnapLength + 64);
  long passed = 0;
  for (long round = 0; round < rounds; round++) {
    List frame = frames[chance.Below(3)];
    if (chance.OneIn(4)) {
      frame.resize(static_cast<size_t>(chance.Below(400)));
      for (uint8_t& byte : frame) byte = static_cast<uint8_t>(chance.Below(256));
      if (chance.OneIn(2) && frame.size() > 4) frame[0] = frame[3] = 0;
    }
    Spoil(chance, frame);
    Exact bytes(frame);
    if (Sift(bytes, frame.size()).passes) passed++;
    size_t room = static_cast<size_t>(chance.Below(static_cast<int>(record.size())));
    size_t size = WritePacket(std::span(record).first(room), 1, bytes, frame.size());
    if (size > room || size % 4) Fail("a record has a false size", size);
    List capture = captures[round % 2];
    Spoil(chance, capture);
    PacketsOf(capture);
    List spoilt = answer;
    Spoil(chance, spoilt);
    ReadAnswer(spoilt);
  }
  std::printf("%ld rounds, %ld passed\n", rounds, passed);
}
