import { type RadioBroadcast, type RadioSink, readEnvelope } from './broadcast.ts';

/** Advertising data of one Bluetooth broadcast, with the receiver's signal strength. */
export type Advertising = Pick<RadioBroadcast, 'mac' | 'rssiDbm'> & { transport: 'bt4' | 'bt5'; data: Uint8Array };

/** Start of a Remote ID structure: service data, UUID 0xFFFA of ASTM, application code of Remote ID. */
const MARKER = Buffer.from('16faff0d', 'hex');

/** True if advertising data, whole or truncated, contains Remote ID. */
export function isRemoteId(data: Uint8Array): boolean {
  return Buffer.from(data.buffer, data.byteOffset, data.length).includes(MARKER);
}

/** True if the structures fill the advertising data exactly, or end with a length of 0. */
export function isFilled(data: Uint8Array): boolean {
  let at = 0;
  while (at < data.length) {
    const length = data[at] ?? 0;
    if (length === 0) return true;
    at += 1 + length;
  }
  return at === data.length;
}

/**
 * Reads Remote ID from advertising data: a list of structures of length, type and content. A length of 0 ends the
 * list.
 */
export function readAdvertising({ transport, mac, rssiDbm, data }: Advertising, sink: RadioSink): void {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.length);
  for (let at = 0; at < bytes.length; ) {
    const length = bytes[at] ?? 0;
    if (length === 0) return;
    const structure = bytes.subarray(at + 1, at + 1 + length);
    if (structure.subarray(0, MARKER.length).equals(MARKER)) {
      const read = structure.length < length ? 'length' : readEnvelope(structure.subarray(MARKER.length));
      if (typeof read === 'string') sink.reject(read);
      else sink.emit({ transport, mac, ...read, rssiDbm, freqMhz: null });
    }
    at += 1 + length;
  }
}
