import type { CapturedPacket, CaptureStatistics } from './records.ts';
import { capturedPacket, captureHeader, captureStatistics } from './write.ts';

/**
 * Records of a capture, written again as sections that need nothing from before. A recording may be played from any of
 * its parts, and the header of a capture is sent only once.
 */
export class RestatedCapture {
  #isOn = false;
  #linkType = -1;
  #parts: Buffer[] = [];

  /** Begins to keep what is read. */
  begin(): void {
    this.#isOn = true;
  }

  /** Everything since `begin`; empty where no record was whole. */
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
