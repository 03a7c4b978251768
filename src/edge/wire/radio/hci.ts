import { type Advertising, isRemoteId, readAdvertising } from './advertising.ts';
import { type RadioSink, reversedMacAt } from './broadcast.ts';

const H4_EVENT = 4;
const LE_META = 0x3e;
const REPORT = 0x02;
const EXTENDED_REPORT = 0x0d;
const UNKNOWN_RSSI = 127;

const MOST_OPEN = 64;
/** Longest advertising data (Bluetooth Core 5.4, volume 4, part E, section 7.7.65.13). */
const MOST_BYTES = 1_650;
const FRAGMENTS_MS = 1_000;
const STATUS_MORE = 1;
const STATUS_WHOLE = 0;

type Open = { parts: Uint8Array[]; length: number; atMs: number };

/** Reads HCI events in H4 packets, and joins the fragments of extended advertising for each address and set. */
export class HciReader {
  readonly #open = new Map<string, Open>();

  /** Reads one packet, from its type byte on. */
  packet(packet: Buffer, atMs: number, sink: RadioSink): void {
    const [type] = packet;
    if (type === undefined || type === 0 || type > 5) {
      sink.reject('malformed');
      return;
    }
    if (type !== H4_EVENT || packet[1] !== LE_META) return;
    const event = packet.subarray(3, 3 + (packet[2] ?? 0));
    if (event.length < (packet[2] ?? 0)) {
      sink.reject('length');
      return;
    }
    if (event[0] === REPORT) readReports(event, sink);
    else if (event[0] === EXTENDED_REPORT) this.#readExtended(event, atMs, sink);
  }

  #readExtended(event: Buffer, atMs: number, sink: RadioSink): void {
    const HEADER = 24;
    let at = 2;
    for (let left = event[1] ?? 0; left > 0; left--) {
      if (at + HEADER > event.length) {
        sink.reject('length');
        return;
      }
      const type = event.readUInt16LE(at);
      const length = event[at + 23] ?? 0;
      const data = event.subarray(at + HEADER, at + HEADER + length);
      if (data.length < length) {
        sink.reject('length');
        return;
      }
      const mac = reversedMacAt(event, at + 3);
      const whole = this.#joined(`${mac}/${event[at + 11]}`, (type >> 5) & 3, data, atMs, sink);
      const transport = type & 0x10 ? 'bt4' : 'bt5';
      if (whole !== null) readAdvertising({ transport, mac, rssiDbm: rssiAt(event, at + 13), data: whole }, sink);
      at += HEADER + length;
    }
  }

  /** The whole data once its last fragment is there; null before, and where it is thrown away. */
  #joined(set: string, status: number, data: Uint8Array, atMs: number, sink: RadioSink): Uint8Array | null {
    const held = this.#open.get(set);
    const isOld = held !== undefined && Math.abs(atMs - held.atMs) > FRAGMENTS_MS;
    const before = held === undefined || isOld ? { parts: [], length: 0, atMs } : held;
    this.#open.delete(set);
    const parts = [...before.parts, data];
    const length = before.length + data.length;
    if (status === STATUS_WHOLE && length <= MOST_BYTES) return parts.length === 1 ? data : Buffer.concat(parts);
    if (status === STATUS_MORE && length <= MOST_BYTES) {
      this.#open.set(set, { parts, length, atMs: before.atMs });
      const [oldest] = this.#open.keys();
      if (this.#open.size > MOST_OPEN && oldest !== undefined) this.#open.delete(oldest);
      return null;
    }
    if (isRemoteId(Buffer.concat(parts))) sink.reject('length');
    return null;
  }
}

/** Legacy reports: controllers send the fields of one report together, as Linux and BlueZ read them. */
function readReports(event: Buffer, sink: RadioSink): void {
  const HEADER = 9;
  let at = 2;
  for (let left = event[1] ?? 0; left > 0; left--) {
    const length = event[at + 8] ?? 0;
    const end = at + HEADER + length;
    if (at + HEADER > event.length || end + 1 > event.length) {
      sink.reject('length');
      return;
    }
    const data = event.subarray(at + HEADER, end);
    const advertising: Advertising = {
      transport: 'bt4',
      mac: reversedMacAt(event, at + 2),
      rssiDbm: rssiAt(event, end),
      data,
    };
    readAdvertising(advertising, sink);
    at = end + 1;
  }
}

function rssiAt(bytes: Buffer, at: number): number | null {
  const dbm = bytes.readInt8(at);
  return dbm === UNKNOWN_RSSI ? null : dbm;
}
