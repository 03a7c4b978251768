// dunlin-radio: passes frames of aircraft from a Wi-Fi or Bluetooth adapter to the daemon, which itself has no right to
// listen.
#include "describe.h"
#include "hci_source.h"
#include "mapped_file.h"
#include "options.h"
#include "privileges.h"
#include "serve.h"
#include "sources.h"

namespace {

using namespace dunlin::radio;

UniqueFd Listener(const Options& options) {
  if (options.listen) return ListenAt(options.listen);
  UniqueFd fd = PassedSocket();
  if (!fd) Fail(kWrongUse, "there is no socket for the stream: start the program through dunlin-radio@NAME.socket, or give --listen PATH");
  return fd;
}

// Source and stream have several hundred kilobytes of buffers. They are static, because the stack is too small for them
// and the program allocates nothing.
template <typename Source>
int Serve(const Options& options, Source& source, Stream& stream) {
  Readers readers;
  UniqueFd listener = Listener(options);
  Server<Source> server(std::move(listener), readers, source, stream);
  KeepCapabilities(0);
  bool ended = server.Run();
  if (!ended) return 0;
  server.Finish();
  if (options.read) return 0;
  std::fprintf(stderr, "dunlin-radio: the adapter %s is gone or was set down\n", options.name);
  return kFailed;
}

int ServeFile(const Options& options) {
  static Stream stream("capture", kLinkRadiotap);
  FileSource source(MapFile(options.read));
  if (!source.is_readable())
    Fail(kWrongUse, "%s is not a capture of 802.11 frames with radiotap headers (pcapng, or pcap of link type 127)", options.read);
  return Serve(options, source, stream);
}

void OpenNl80211(Nl80211& nl80211) {
  int error = nl80211.Open();
  if (error) Fail(kFailed, "the kernel has no Wi-Fi configuration (nl80211): %s", std::strerror(error));
}

/// Sets the adapter to monitor mode and to its channel. Call this before the packet socket is opened.
Tuner& Tune(const Options& options, const Interface& interface) {
  static Nl80211 nl80211(Netlink::Kernel());
  Channels channels = options.config ? ChannelFile(options.config).Read() : Channels{};
  OpenNl80211(nl80211);
  interface.Listen(nl80211);
  static Tuner tuner(interface, nl80211, channels);
  // The tuner process has its own copy of the descriptor; this process sends no more requests.
  nl80211.Close();
  return tuner;
}

int ServeRadio(const Options& options) {
  Interface interface(options.name);
  const Tuner* tuner = options.tune ? &Tune(options, interface) : nullptr;
  static Stream stream(options.name, kLinkRadiotap);
  static PacketSocket socket(options.name);
  RadioSource source(socket, tuner);
  return Serve(options, source, stream);
}

int ServeBluetooth(const Options& options, int adapter) {
  if (options.config || options.describe || !options.tune)
    Fail(kWrongUse, "%s is a Bluetooth adapter: --config, --no-tune and --describe are for Wi-Fi", options.name);
  static Stream stream(options.name, kLinkHci);
  static HciSocket socket(options.name, adapter);
  static HciSource source(socket);
  return Serve(options, source, stream);
}

int DescribeRadio(const Options& options) {
  static Nl80211 nl80211(Netlink::Kernel());
  Interface interface(options.name);
  OpenNl80211(nl80211);
  Describe(interface, nl80211);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  Options options = ReadOptions(argc, argv);
  if (options.read) return ServeFile(options);
  int bluetooth = AdapterNumber(options.name);
  if (bluetooth >= 0) return ServeBluetooth(options, bluetooth);
  return options.describe ? DescribeRadio(options) : ServeRadio(options);
}
