// The tuner against an emulated kernel. Prints the frequencies that the tuner sets, the capabilities of its process,
// and the last frequency after its end.
#include <poll.h>
#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "../radio/tuner.h"

namespace {

using namespace dunlin::radio;

/// Acknowledges `count` frequencies and answers each later one with ENODEV.
void Play(int fd, int count) {
  uint8_t buffer[4'096];
  for (ssize_t size; (size = ::recv(fd, buffer, sizeof buffer, 0)) > 0; count--) {
    Bytes message{buffer, static_cast<size_t>(size)};
    EachAttribute(message.From(20), [&](int type, Bytes content) {
      if (type == 38) std::cout << content.U32(0) << std::endl;
    });
    int32_t error = count > 0 ? 0 : -ENODEV;
    uint8_t answer[36] = {36, 0, 0, 0, 2, 0, 0, 0};
    std::memcpy(answer + 8, buffer + 8, 4);
    std::memcpy(answer + 16, &error, 4);
    (void)!::send(fd, answer, sizeof answer, 0);
  }
}

}  // namespace

int main() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) < 0) return 1;
  pid_t kernel = ::fork();
  if (kernel == 0) {
    ::close(ends[0]);
    Play(ends[1], 4);
    std::exit(0);
  }
  ::close(ends[1]);
  Interface interface("lo");
  Nl80211 nl80211{UniqueFd(ends[0])};
  Channels channels;
  channels.count = 2;
  channels.list = {Dwell{2437, 100}, Dwell{5745, 50}};
  Tuner tuner(interface, nl80211, channels);
  nl80211.Close();
  std::string pid = std::to_string(::getpid()), child, line;
  std::ifstream children("/proc/" + pid + "/task/" + pid + "/children");
  while (children >> line) child = line;
  unsigned highest = 0;
  for (pollfd ended{tuner.fd(), POLLIN, 0}; ::poll(&ended, 1, 5) == 0;) {
    if (highest < tuner.mhz()) highest = tuner.mhz();
    if (highest != 5745) continue;
    std::ifstream status("/proc/" + child + "/status");
    while (std::getline(status, line))
      if (line.starts_with("CapEff") || line.starts_with("CapPrm") || line.starts_with("CapBnd")) std::cout << line << std::endl;
    highest++;
  }
  while (::wait(nullptr) > 0) {
  }
  std::cout << "ended at " << tuner.mhz() << std::endl;
}
