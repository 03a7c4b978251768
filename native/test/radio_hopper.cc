// Reader and tuner as the program runs them, on an interface that replaces a radio. Only nl80211 is emulated, by a
// third process, which ends with the last process that sends requests to it.
#include "../radio/serve.h"
#include "../radio/sources.h"

namespace {

using namespace dunlin::radio;

/// Acknowledges each command until no process has the other end of the socket any more.
[[noreturn]] void Play(int fd) {
  uint8_t buffer[4'096];
  for (ssize_t size; (size = ::recv(fd, buffer, sizeof buffer, 0)) > 0;) {
    uint8_t answer[36] = {36, 0, 0, 0, 2, 0, 0, 0};
    std::memcpy(answer + 8, buffer + 8, 4);
    (void)!::send(fd, answer, sizeof answer, MSG_NOSIGNAL);
  }
  std::exit(0);
}

UniqueFd PlayedKernel() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) < 0) Fail(kFailed, "no sockets");
  if (::fork() == 0) {
    ::close(ends[0]);
    Play(ends[1]);
  }
  ::close(ends[1]);
  return UniqueFd(ends[0]);
}

}  // namespace

/// Arguments: the interface, and the path of the stream's socket.
int main(int, char** argv) {
  Interface interface(argv[1]);
  Nl80211 nl80211(PlayedKernel());
  Channels channels;
  channels.count = 2;
  channels.list = {Dwell{2437, 700}, Dwell{5745, 450}};
  static Tuner tuner(interface, nl80211, channels);
  nl80211.Close();
  static Stream stream(argv[1], kLinkRadiotap);
  static PacketSocket socket(argv[1]);
  RadioSource source(socket, &tuner);
  Readers readers;
  Server<RadioSource> server(ListenAt(argv[2]), readers, source, stream);
  KeepCapabilities(0);
  return server.Run() ? kFailed : 0;
}
