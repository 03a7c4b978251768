// Packet socket of an interface in monitor mode. The filter is attached and locked before the socket is bound, so that
// no unfiltered frame is received.
#pragma once

#include <arpa/inet.h>
#include <linux/filter.h>
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <array>
#include <ctime>

#include "bytes.h"
#include "failure.h"
#include "pcapng.h"
#include "rest.h"
#include "unique_fd.h"

namespace dunlin::radio {

/// Passes beacons (0x80), action frames (0xd0) and probe responses (0x50). Register X gets the length of the radiotap
/// header. The length is read byte by byte, because words of the filter machine are big endian.
inline constexpr sock_filter kManagementFilter[] = {
    BPF_STMT(BPF_LD | BPF_B | BPF_ABS, 3),
    BPF_STMT(BPF_ALU | BPF_LSH | BPF_K, 8),
    BPF_STMT(BPF_MISC | BPF_TAX, 0),
    BPF_STMT(BPF_LD | BPF_B | BPF_ABS, 2),
    BPF_STMT(BPF_ALU | BPF_OR | BPF_X, 0),
    BPF_STMT(BPF_MISC | BPF_TAX, 0),
    BPF_STMT(BPF_LD | BPF_B | BPF_IND, 0),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0x80, 3, 0),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0xd0, 2, 0),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0x50, 1, 0),
    BPF_STMT(BPF_RET | BPF_K, 0),
    BPF_STMT(BPF_RET | BPF_K, kSnapLength),
};

struct Packet {
  Bytes bytes;
  size_t length = 0;
  uint64_t time_us = 0;
};

class PacketSocket {
 public:
  static constexpr size_t kBatch = 32;

  explicit PacketSocket(const char* name) : name_(name), fd_(::socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)) {
    if (!fd_) Fail(kFailed, "cannot open a packet socket (%s): the program needs CAP_NET_RAW", std::strerror(errno));
    Filter();
    RequireMonitor();
    Bind();
    for (size_t at = 0; at < kBatch; at++) {
      parts_[at] = {buffers_[at].data(), kSnapLength};
      messages_[at].msg_hdr.msg_iov = &parts_[at];
      messages_[at].msg_hdr.msg_iovlen = 1;
    }
  }

  int fd() const { return fd_.get(); }

  /// Calls `take` with each waiting packet, at most one batch; false if the interface is gone.
  template <typename Take>
  bool Read(Take&& take) {
    for (size_t at = 0; at < kBatch; at++) {
      messages_[at].msg_hdr.msg_control = controls_[at].data();
      messages_[at].msg_hdr.msg_controllen = controls_[at].size();
    }
    int count = ::recvmmsg(fd(), messages_.data(), kBatch, MSG_DONTWAIT | MSG_TRUNC, nullptr);
    if (count < 0) return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR || errno == ENOBUFS;
    for (size_t at = 0; at < static_cast<size_t>(count); at++) take(PacketAt(at));
    if (static_cast<size_t>(count) < kBatch) Rest();
    return true;
  }

  /// Adds to `received` the number of packets that the filter passed since the last call. Adds to `dropped` how many of
  /// these packets found no room in the buffer.
  void Count(uint64_t& received, uint64_t& dropped) {
    tpacket_stats counts{};
    socklen_t size = sizeof counts;
    if (::getsockopt(fd(), SOL_PACKET, PACKET_STATISTICS, &counts, &size) < 0) return;
    received += counts.tp_packets;
    dropped += counts.tp_drops;
  }

 private:
  void Set(int level, int option, const void* value, socklen_t size, const char* what) {
    if (::setsockopt(fd(), level, option, value, size) < 0) Fail(kFailed, "cannot set %s of the packet socket: %s", what, std::strerror(errno));
  }

  void Filter() {
    sock_fprog program{std::size(kManagementFilter), const_cast<sock_filter*>(kManagementFilter)};
    int on = 1, room = 4 << 20;
    Set(SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program, "the filter");
    Set(SOL_SOCKET, SO_LOCK_FILTER, &on, sizeof on, "the filter's lock");
    Set(SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on, "the time stamps");
    // A buffer larger than the system's limit needs CAP_NET_ADMIN. Without this right the buffer gets the size of the
    // limit.
    if (::setsockopt(fd(), SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof room) < 0)
      Set(SOL_SOCKET, SO_RCVBUF, &room, sizeof room, "the buffer");
    // Kernels before 4.20 do not have this option, so an error is ignored. The option only saves work, since the
    // program sends nothing.
    (void)::setsockopt(fd(), SOL_PACKET, PACKET_IGNORE_OUTGOING, &on, sizeof on);
  }

  void RequireMonitor() {
    ifreq request{};
    std::strncpy(request.ifr_name, name_, IFNAMSIZ - 1);
    if (::ioctl(fd(), SIOCGIFHWADDR, &request) < 0) Fail(kFailed, "cannot read the type of %s: %s", name_, std::strerror(errno));
    if (request.ifr_hwaddr.sa_family != ARPHRD_IEEE80211_RADIOTAP)
      Fail(kFailed, "%s gives frames of type %d, not 803 (radiotap): it is not in monitor mode", name_,
           request.ifr_hwaddr.sa_family);
  }

  void Bind() {
    sockaddr_ll address{};
    address.sll_family = AF_PACKET;
    address.sll_protocol = htons(ETH_P_ALL);
    address.sll_ifindex = static_cast<int>(::if_nametoindex(name_));
    if (::bind(fd(), reinterpret_cast<sockaddr*>(&address), sizeof address) < 0)
      Fail(kFailed, "cannot read %s: %s", name_, std::strerror(errno));
  }

  Packet PacketAt(size_t at) {
    msghdr& header = messages_[at].msg_hdr;
    size_t length = messages_[at].msg_len;
    timespec time{};
    for (cmsghdr* part = CMSG_FIRSTHDR(&header); part; part = CMSG_NXTHDR(&header, part))
      if (part->cmsg_level == SOL_SOCKET && part->cmsg_type == SCM_TIMESTAMPNS)
        std::memcpy(&time, CMSG_DATA(part), sizeof time);
    uint64_t time_us = static_cast<uint64_t>(time.tv_sec) * 1'000'000 + static_cast<uint64_t>(time.tv_nsec) / 1'000;
    return {{buffers_[at].data(), length < kSnapLength ? length : kSnapLength}, length, time_us};
  }

  const char* name_;
  UniqueFd fd_;
  std::array<std::array<uint8_t, kSnapLength>, kBatch> buffers_;
  alignas(cmsghdr) std::array<std::array<uint8_t, 64>, kBatch> controls_;
  std::array<iovec, kBatch> parts_{};
  std::array<mmsghdr, kBatch> messages_{};
};

}  // namespace dunlin::radio
