import { type Advertising, isFilled, isRemoteId, readAdvertising } from './advertising.ts';
import { levelOf, type RadioSink, reversedMacAt } from './broadcast.ts';

const H4_EVENT = 4;
const MOST_H4_TYPE = 5;
const LE_META = 0x3e;
/** Subevent codes of LE events that report advertising. */
export const REPORT = 0x02;
export const EXTENDED_REPORT = 0x0d;

/**
 * Layout of a report, bytes: its part before the data, the offset of the data's length, and the part after the data.
 */
const legacyForm = { header: 9, lengthAt: 8, tail: 1 } as const;
const extendedForm = { header: 24, lengthAt: 23, tail: 0 } as const;
type Form = typeof legacyForm | typeof extendedForm;

const MOST_OPEN = 64;
/** Longest advertising data, bytes (Bluetooth Core 5.4, volume 4, part E, section 7.7.65.13). */
const MOST_BYTES = 1_650;
const FRAGMENTS_MS = 1_000;
const STATUS_MORE = 1;
const STATUS_WHOLE = 0;

type Open = { parts: Uint8Array[]; length: number; atMs: number };

/**
 * Reads HCI events in H4 packets. Joins the fragments of extended advertising, separately for each address and
 * advertising set.
 */
export class HciReader {
  readonly #open = new Map<string, Open>();

  /** Reads one packet, from its type byte on. */
  packet(packet: Buffer, atMs: number, sink: RadioSink): void {
    const [type] = packet;
    if (type === undefined || type === 0 || type > MOST_H4_TYPE) {
      sink.reject('malformed');
      return;
    }
    if (type !== H4_EVENT || packet[1] !== LE_META) return;
    const length = packet[2] ?? 0;
    const event = packet.subarray(3, 3 + length);
    if (event.length < length) sink.reject('length');
    else if (event[0] === REPORT) readReports(event, sink);
    else if (event[0] === EXTENDED_REPORT) this.#readExtended(event, atMs, sink);
  }

  #readExtended(event: Buffer, atMs: number, sink: RadioSink): void {
    for (const { at, data } of reportsIn(event, extendedForm, sink)) {
      const type = event.readUInt16LE(at);
      const mac = reversedMacAt(event, at + 3);
      const whole = this.#joined(`${mac}/${event[at + 11]}`, (type >> 5) & 3, data, atMs, sink);
      const transport = type & 0x10 ? 'bt4' : 'bt5';
      if (whole !== null) readAdvertising({ transport, mac, rssiDbm: rssiAt(event, at + 13), data: whole }, sink);
    }
  }

  /** Returns the whole data after its last fragment; null before the last fragment, and if the data is discarded. */
  #joined(set: string, status: number, data: Uint8Array, atMs: number, sink: RadioSink): Uint8Array | null {
    const held = this.#open.get(set);
    if (held === undefined && status === STATUS_WHOLE) return data;
    const isOld = held !== undefined && Math.abs(atMs - held.atMs) > FRAGMENTS_MS;
    const before = held === undefined || isOld ? { parts: [], length: 0, atMs } : held;
    this.#open.delete(set);
    // The data is copied to keep it, because the caller may reuse its buffer.
    const parts = [...before.parts, status === STATUS_MORE ? Uint8Array.from(data) : data];
    const length = before.length + data.length;
    if (status === STATUS_WHOLE && length <= MOST_BYTES) {
      const whole = Buffer.concat(parts);
      // If a fragment was lost, the joined parts come from two broadcasts and do not fill the structures exactly.
      if (isFilled(whole)) return whole;
    }
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

/** True if the reports of an advertising event fill the event exactly. */
export function reportsFit(event: Buffer): boolean {
  const form = event[0] === REPORT ? legacyForm : event[0] === EXTENDED_REPORT ? extendedForm : null;
  const count = event[1] ?? 0;
  if (form === null || count === 0) return false;
  let at = 2;
  for (let left = count; left > 0; left--) {
    const length = event[at + form.lengthAt];
    if (length === undefined) return false;
    at += form.header + length + form.tail;
  }
  return at === event.length;
}

/** Yields the reports of an event with their data. Stops with the reason `length` at a report that is truncated. */
function* reportsIn(event: Buffer, form: Form, sink: RadioSink): Generator<{ at: number; end: number; data: Buffer }> {
  let at = 2;
  for (let left = event[1] ?? 0; left > 0; left--) {
    const length = event[at + form.lengthAt] ?? 0;
    const end = at + form.header + length;
    if (at + form.header > event.length || end + form.tail > event.length) {
      sink.reject('length');
      return;
    }
    yield { at, end, data: event.subarray(at + form.header, end) };
    at = end + form.tail;
  }
}

/**
 * Reads legacy reports one after the other. Controllers send all fields of one report together, as Linux and BlueZ
 * expect.
 */
function readReports(event: Buffer, sink: RadioSink): void {
  for (const { at, end, data } of reportsIn(event, legacyForm, sink)) {
    const mac = reversedMacAt(event, at + 2);
    const advertising: Advertising = { transport: 'bt4', mac, rssiDbm: rssiAt(event, end), data };
    readAdvertising(advertising, sink);
  }
}

function rssiAt(bytes: Buffer, at: number): number | null {
  return levelOf(bytes.readInt8(at));
}
