import { levelOf, type RadioSink } from './broadcast.ts';
import { HciReader } from './hci.ts';
import { readLinkLayer } from './link_layer.ts';
import { readRadiotap } from './radiotap.ts';
import { readWifi } from './wifi.ts';

/** Link types of packet captures that can contain Remote ID (tcpdump.org/linktypes). */
export const linkTypes = {
  wifi: 105,
  radiotap: 127,
  hci: 187,
  hciWithDirection: 201,
  bluetoothLe: 251,
  bluetoothLeWithRadio: 256,
  nordicSniffer: 272,
} as const;

const known: ReadonlySet<number> = new Set(Object.values(linkTypes));

/** True if the codec reads frames of this link type. */
export function isRadio(linkType: number): boolean {
  return known.has(linkType);
}

/** Reads reports about aircraft from the frames of one capture. Never throws, whatever the bytes are. */
export class RadioFrames {
  readonly #sink: RadioSink;
  readonly #hci = new HciReader();

  constructor(sink: RadioSink) {
    this.#sink = sink;
  }

  /** Reads one frame. Well-formed frames that are not about an aircraft are neither emitted nor refused. */
  read(linkType: number, bytes: Buffer, atMs: number): void {
    const sink = this.#sink;
    switch (linkType) {
      case linkTypes.wifi:
        readWifi({ frame: bytes, isGood: () => true, rssiDbm: null, freqMhz: null }, sink);
        return;
      case linkTypes.radiotap: {
        const received = readRadiotap(bytes);
        if (typeof received === 'string') sink.reject(received);
        else readWifi(received, sink);
        return;
      }
      case linkTypes.hci:
        this.#hci.packet(bytes, atMs, sink);
        return;
      case linkTypes.hciWithDirection:
        if (bytes.length < DIRECTION + 1) sink.reject('length');
        else this.#hci.packet(bytes.subarray(DIRECTION), atMs, sink);
        return;
      case linkTypes.bluetoothLe:
        readLinkLayer(bytes, { rssiDbm: null, isGood: null }, sink);
        return;
      case linkTypes.bluetoothLeWithRadio:
        readWithRadio(bytes, sink);
        return;
      case linkTypes.nordicSniffer:
        readNordic(bytes, sink);
    }
  }
}

/** Length of the direction field before each packet of link type 201, bytes. */
const DIRECTION = 4;
const ACCESS_ADDRESS = 4;
const CODED = 2;

/**
 * Reads a packet of link type 256. Its header: channel, signal, noise, wrong bits of the access address, access
 * address, flags. If the receiver checked the CRC, its result is used.
 */
function readWithRadio(bytes: Buffer, sink: RadioSink): void {
  const HEADER = 10;
  if (bytes.length < HEADER + ACCESS_ADDRESS) {
    sink.reject('length');
    return;
  }
  const flags = bytes.readUInt16LE(8);
  const isChecked = (flags & 0x0400) !== 0;
  const rssiDbm = flags & 0x0002 ? levelOf(bytes.readInt8(1)) : null;
  const isGood = isChecked ? (flags & 0x0800) !== 0 : null;
  readLinkLayer(withoutCoding(bytes.subarray(HEADER), flags >> 14 === CODED), { rssiDbm, isGood }, sink);
}

/**
 * Reads a packet of link type 272 (nRF Sniffer). Its header: board, 6 bytes of the serial protocol, length, flags,
 * channel, level without its sign, event, time. The sniffer always checks the CRC.
 */
function readNordic(bytes: Buffer, sink: RadioSink): void {
  const HEADER = 17;
  if (bytes.length < HEADER + ACCESS_ADDRESS) {
    sink.reject('length');
    return;
  }
  const flags = bytes.readUInt8(8);
  const radio = { rssiDbm: levelOf(-bytes.readUInt8(10)), isGood: (flags & 1) !== 0 };
  readLinkLayer(withoutCoding(bytes.subarray(HEADER), ((flags >> 4) & 7) === CODED), radio, sink);
}

/** Removes the coding indicator, which a coded packet has after the access address. */
function withoutCoding(packet: Buffer, isCoded: boolean): Buffer {
  if (!isCoded) return packet;
  return Buffer.concat([packet.subarray(0, ACCESS_ADDRESS), packet.subarray(ACCESS_ADDRESS + 1)]);
}
