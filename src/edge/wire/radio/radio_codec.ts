import { noRejects, type RejectReason, type Rejects } from '../../../model/link.ts';
import type { RadioBroadcast, RadioSink } from './broadcast.ts';
import { HciReader } from './hci.ts';
import { readLinkLayer } from './link_layer.ts';
import { readRadiotap } from './radiotap.ts';
import { readWifi } from './wifi.ts';

/** Link types of a packet capture that can carry Remote ID, by their numbers (tcpdump.org/linktypes). */
export const linkTypes = {
  wifi: 105,
  radiotap: 127,
  hci: 187,
  hciWithDirection: 201,
  bluetoothLe: 251,
  bluetoothLeWithRadio: 256,
} as const;

const known: ReadonlySet<number> = new Set(Object.values(linkTypes));

/** Whether the codec reads frames of this link type. */
export function isRadio(linkType: number): boolean {
  return known.has(linkType);
}

/** Reads Remote ID out of the frames of one capture. Never throws, whatever the bytes are. */
export class RadioCodec {
  readonly rejects: Rejects = noRejects();
  readonly #emit: (broadcast: RadioBroadcast) => void;
  readonly #hci = new HciReader();
  readonly #sink: RadioSink;

  constructor(emit: (broadcast: RadioBroadcast) => void) {
    this.#emit = emit;
    this.#sink = {
      emit: (broadcast) => this.#emit(broadcast),
      reject: (reason: RejectReason) => {
        this.rejects[reason]++;
      },
    };
  }

  /** Reads one frame. Frames without Remote ID are neither returned nor counted. */
  frame(linkType: number, bytes: Buffer, atMs: number): void {
    const sink = this.#sink;
    if (linkType === linkTypes.wifi) readWifi({ frame: bytes, isGood: null, rssiDbm: null, freqMhz: null }, sink);
    else if (linkType === linkTypes.radiotap) {
      const received = readRadiotap(bytes);
      if (typeof received === 'string') sink.reject(received);
      else readWifi(received, sink);
    } else if (linkType === linkTypes.hci) this.#hci.packet(bytes, atMs, sink);
    else if (linkType === linkTypes.hciWithDirection) {
      if (bytes.length < 5) sink.reject('length');
      else this.#hci.packet(bytes.subarray(4), atMs, sink);
    } else if (linkType === linkTypes.bluetoothLe) readLinkLayer(bytes, { rssiDbm: null, isGood: null }, sink);
    else if (linkType === linkTypes.bluetoothLeWithRadio) this.#bluetoothWithRadio(bytes);
  }

  /**
   * The pseudo header of link type 256 holds channel, levels, access-address errors, reference access address and flags.
   */
  #bluetoothWithRadio(bytes: Buffer): void {
    const HEADER = 10;
    if (bytes.length < HEADER + 4) {
      this.#sink.reject('length');
      return;
    }
    const flags = bytes.readUInt16LE(8);
    const isChecked = (flags & 0x0400) !== 0;
    const rssiDbm = flags & 0x0002 ? bytes.readInt8(1) : null;
    const isCoded = flags >> 14 === 2;
    // A coded packet has its coding indicator behind the access address.
    const access = bytes.subarray(HEADER, HEADER + 4);
    const rest = bytes.subarray(HEADER + 4 + (isCoded ? 1 : 0));
    const isGood = isChecked ? (flags & 0x0800) !== 0 : null;
    readLinkLayer(Buffer.concat([access, rest]), { rssiDbm, isGood }, this.#sink);
  }
}
