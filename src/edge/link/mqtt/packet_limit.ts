import { readLength } from '../../wire/mqtt/publish.ts';

/** Longest packet that is accepted, bytes without its header. */
export const MOST_PACKET_BYTES = 256 * 1024;
/** Longest header, bytes: one of type and flags, and up to four of the length. */
const MOST_HEADER_BYTES = 5;
const PUBLISH = 3;
/**
 * Mask of the quality of service (QoS) in the flags. Links subscribe with QoS 0, so a publish of QoS 1 or 2 was not
 * asked for. The MQTT client would store such publishes.
 */
const QOS = 6;

/**
 * Result of `PacketLimit.take`. `bytes`: bytes for the MQTT client. `cut`: headers of the publishes that were removed.
 * `fault`: the fault that ends the session; null for none.
 */
export type Passed = { bytes: Uint8Array[]; cut: Uint8Array[]; fault: string | null };

/**
 * Limits the length of packets in a stream. The MQTT client would keep any packet in memory until its end, up to 256
 * MB. A publish that is too long is removed rather than refused: else one such retained message would end every
 * session.
 */
export class PacketLimit {
  #header: number[] = [];
  /** Number of bytes of the current packet that have not arrived yet. `#isCut` is true if this packet is removed. */
  #left = 0;
  #isCut = false;

  take(bytes: Uint8Array): Passed {
    const passed: Passed = { bytes: [], cut: [], fault: null };
    for (let at = 0; at < bytes.length && passed.fault === null; ) {
      if (this.#left > 0) {
        const part = bytes.subarray(at, at + this.#left);
        if (!this.#isCut) passed.bytes.push(part);
        this.#left -= part.length;
        at += part.length;
      } else {
        this.#header.push(bytes[at] ?? 0);
        at++;
        this.#headerRead(passed);
      }
    }
    return passed;
  }

  #headerRead(passed: Passed): void {
    const header = Uint8Array.from(this.#header);
    const read = header.length < 2 ? null : readLength(header, 1);
    if (read === null) {
      if (header.length >= MOST_HEADER_BYTES) passed.fault = 'sent a packet whose length cannot be read';
      return;
    }
    this.#header = [];
    this.#left = read.length;
    this.#isCut = read.length > MOST_PACKET_BYTES;
    const isPublish = (header[0] ?? 0) >> 4 === PUBLISH;
    if (isPublish && ((header[0] ?? 0) & QOS) !== 0)
      passed.fault = 'sent a message with a quality of service other than 0';
    else if (!this.#isCut) passed.bytes.push(header);
    else if (isPublish) passed.cut.push(header);
    else
      passed.fault = `sent a packet of ${read.length} bytes: only a publish may have more than ${MOST_PACKET_BYTES} bytes`;
  }
}
