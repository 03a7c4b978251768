import type { CapturedPacket, CaptureStatistics } from './records.ts';
import { capturedPacket, captureHeader, captureStatistics } from './write.ts';

/**
 * Writes the records of a capture again as sections that need no earlier bytes. This is necessary because a recording
 * may be played from any of its parts, whereas a capture sends its header only once.
 */
export class RestatedCapture {
  #isOn = false;
  #linkType = -1;
  #parts: Buffer[] = [];

  /** Begins to collect the records that are read. */
  begin(): void {
    this.#isOn = true;
  }

  /** Returns all records since `begin`; empty if no record was complete. */
  end(): Uint8Array {
    const bytes = Buffer.concat(this.#parts);
    this.#isOn = false;
    this.#linkType = -1;
    this.#parts = [];
    return bytes;
  }

  packet({ linkType, atMs, bytes }: CapturedPacket): void {
    if (!this.#isOn) return;
    this.#section(linkType);
    this.#parts.push(capturedPacket(atMs ?? 0, bytes));
  }

  statistics(statistics: CaptureStatistics): void {
    if (!this.#isOn) return;
    if (this.#linkType === -1) this.#section(0);
    this.#parts.push(captureStatistics(statistics));
  }

  #section(linkType: number): void {
    if (this.#linkType === linkType) return;
    this.#linkType = linkType;
    this.#parts.push(captureHeader(linkType));
  }
}
