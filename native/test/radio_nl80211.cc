// Commands of nl80211 against an emulated kernel. Prints each request as the kernel would read it, and the content of
// the answers.
#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "../radio/nl80211.h"

namespace {

using namespace dunlin::radio;
using List = std::vector<uint8_t>;

void Put16(List& list, int value) { list.push_back(value & 0xff), list.push_back(value >> 8 & 0xff); }
void Put32(List& list, uint32_t value) { Put16(list, value & 0xffff), Put16(list, static_cast<int>(value >> 16)); }

List Attribute(int type, const List& content) {
  List list;
  Put16(list, static_cast<int>(content.size() + 4)), Put16(list, type);
  list.insert(list.end(), content.begin(), content.end());
  list.resize((list.size() + 3) / 4 * 4);
  return list;
}
List Number(int type, uint32_t value) {
  List content;
  Put32(content, value);
  return Attribute(type, content);
}
List operator+(List left, const List& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

List Message(int type, uint32_t sequence, const List& body) {
  List list;
  Put32(list, static_cast<uint32_t>(16 + body.size())), Put16(list, type), Put16(list, 2), Put32(list, sequence), Put32(list, 0);
  return list + body;
}
List Generic(uint32_t sequence, const List& attributes) { return Message(28, sequence, List{1, 1, 0, 0} + attributes); }
List End(int type, uint32_t sequence, int error) {
  List body;
  Put32(body, static_cast<uint32_t>(-error));
  return Message(type, sequence, body);
}

void Send(int fd, const List& list) { (void)!::send(fd, list.data(), list.size(), 0); }

/// Sends the description of an adapter with two bands, as recorded from a kernel: one message for the interface types,
/// and one for each band.
void AnswerDump(int fd, uint32_t sequence) {
  List low = Attribute(1, Number(1, 2437)), high = Attribute(0, Number(1, 5260) + Attribute(2, {}));
  Send(fd, Generic(sequence, Attribute(32, Attribute(2, {}) + Attribute(6, {}))));
  Send(fd, Generic(sequence, Attribute(22, Attribute(0, Attribute(1, low)))));
  Send(fd, Generic(sequence, Attribute(22, Attribute(1, Attribute(1, high)))) + End(3, sequence, 0));
}

void Play(int fd) {
  uint8_t buffer[4'096];
  for (ssize_t size; (size = ::recv(fd, buffer, sizeof buffer, 0)) > 0;) {
    Bytes message{buffer, static_cast<size_t>(size)};
    uint32_t sequence = message.U32(8);
    std::printf("%u/%u flags %x:", message.U16(4), message.U8(16), message.U16(6));
    uint32_t frequency = 0;
    EachAttribute(message.From(20), [&](int type, Bytes content) {
      if (type == 38) frequency = content.U32(0);
      if (content.size == 4) std::printf(" %d=%u", type, content.U32(0));
      else std::printf(" %d(%zu)", type, content.size);
    });
    std::printf(" of %u\n", message.U32(0));
    std::fflush(stdout);
    // The late answer to an earlier request must be skipped.
    Send(fd, End(2, sequence - 1, 5));
    if (message.U16(4) == 16) Send(fd, Generic(sequence, Attribute(2, List{"nl80211", "nl80211" + 8}) + Attribute(1, {28, 0})));
    if (message.U16(4) == 16) Send(fd, End(2, sequence, 0));
    else if (message.U8(16) == 1) AnswerDump(fd, sequence);
    else if (message.U8(16) == 31) Send(fd, Generic(sequence, Attribute(33, {'0', '0', 0})) + End(2, sequence, 0));
    else Send(fd, End(2, sequence, frequency == 5260 ? EINVAL : 0));
  }
}

}  // namespace

int main() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) < 0) return 1;
  if (::fork() == 0) {
    ::close(ends[0]);
    Play(ends[1]);
    std::exit(0);
  }
  ::close(ends[1]);
  Nl80211 nl80211{UniqueFd(ends[0])};
  Wiphy wiphy;
  char country[3] = "";
  int errors[] = {nl80211.Open(),        nl80211.SetMonitor(7), nl80211.SetFrequency(7, 2437), nl80211.SetFrequency(7, 5260),
                  nl80211.Describe(7, wiphy), nl80211.Country(country)};
  nl80211.Close();
  ::wait(nullptr);
  std::printf("errors");
  for (int error : errors) std::printf(" %d", error);
  std::printf("\nmonitor %d country %s", wiphy.can_monitor, country);
  for (size_t at = 0; at < wiphy.count; at++) std::printf(" %u%s", wiphy.frequencies[at].mhz, wiphy.frequencies[at].is_disabled ? "!" : "");
  std::printf("\n");
}
