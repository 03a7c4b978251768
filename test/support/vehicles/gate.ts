import { type Heard, isSignedWith } from './messages.ts';

const TIMESTAMP_FROM_END = 12;

/** Decides what a vehicle takes notice of; what is not let through is passed over without a word. */
export class Gate {
  readonly #key: Buffer | null;
  /** The last timestamp of each signing stream: the same bytes are not obeyed twice. */
  readonly #last = new Map<string, number>();

  constructor(key: Buffer | null) {
    this.#key = key;
  }

  lets(heard: Heard, obeys: number | null): boolean {
    if (this.#key !== null && !this.#isFresh(heard, this.#key)) return false;
    return obeys === null || heard.sysid === obeys;
  }

  #isFresh({ frame, sysid, compid }: Heard, key: Buffer): boolean {
    if (!isSignedWith(frame, key)) return false;
    const stream = `${sysid} ${compid} ${frame[frame.length - TIMESTAMP_FROM_END - 1]}`;
    const timestamp = frame.readUIntLE(frame.length - TIMESTAMP_FROM_END, 6);
    if (timestamp <= (this.#last.get(stream) ?? 0)) return false;
    this.#last.set(stream, timestamp);
    return true;
  }
}

/** Watches for the heartbeats of one ground station, once it has heard the first. */
export class StationWatch {
  isLost = false;
  readonly #watched: { sysid: number; afterS?: number } | null;
  #lastS: number | null = null;

  constructor(watched: { sysid: number; afterS?: number } | null) {
    this.#watched = watched;
  }

  reset(): void {
    this.isLost = false;
    this.#lastS = null;
  }

  /** Whether this heartbeat is of the station that was lost. */
  hear(sysid: number, nowS: number): boolean {
    if (sysid !== this.#watched?.sysid) return false;
    this.#lastS = nowS;
    const isBack = this.isLost;
    this.isLost = false;
    return isBack;
  }

  /** True once for each loss. */
  isOverdue(nowS: number): boolean {
    if (this.isLost || this.#lastS === null || nowS - this.#lastS < (this.#watched?.afterS ?? 4.5)) return false;
    this.isLost = true;
    return true;
  }
}
