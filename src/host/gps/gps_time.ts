import { HOLD_MS, NEAR_MS, ReceiverTime } from './receiver_time.ts';

/** UTC that a receiver with a fix reports, ms. `atMs` is the world time at which the report arrived, ms. */
export type TimeReport = { receiver: string; utcMs: number; atMs: number };
export type TimeSink = (report: TimeReport) => void;

/** State of GPS time at one moment, from all receivers together. */
export type GpsState = {
  /**
   * Offset from world time to GPS-derived UTC, ms. It stays after the reports have ended. Null before it is first
   * known.
   */
  offsetMs: number | null;
  /**
   * True if most receivers agree: of those whose offset a report confirmed within the last minute, or else of all. A
   * receiver that jumped, or was silent for an hour, does not count.
   */
  isTrusted: boolean;
  /** Age of the last report that agrees with its receiver's believed offset, ms; null without a believed receiver. */
  ageMs: number | null;
  /** Receivers whose time is used. */
  receivers: readonly string[];
  /** Sentence with the reason why a receiver is not believed; null if there is none. */
  fault: string | null;
  /** Sentence about a report that was refused in the last minute because of its date; null if there was none. */
  note: string | null;
};

/** State of a box without a receiver. */
export const noGps: GpsState = {
  ...{ offsetMs: null, isTrusted: false, ageMs: null, receivers: [], fault: null, note: null },
};

/** Earliest plausible date: this program did not exist before. */
export const EARLIEST_BELIEVED_MS = Date.UTC(2024, 0, 1);
/**
 * Length of a GPS era, ms: the week number of GPS restarts after 1 024 weeks. A receiver with the wrong era reports a
 * date that is wrong by a multiple of this.
 */
const ERA_MS = 1_024 * 7 * 86_400_000;
const LATEST_BELIEVED_MS = EARLIEST_BELIEVED_MS + ERA_MS;
/**
 * Limit of receivers. Reports of a further receiver are ignored until a known receiver has been silent for a minute.
 */
const MOST_RECEIVERS = 8;
const FRESH_MS = 60_000;

type Sources = {
  /** UTC of the system clock, ms. */
  wall(): number;
  /** Returns true if a time server keeps the system clock. */
  isKept(): boolean;
};

/**
 * Judges the time that satellite receivers report. Reports with an implausible date are refused. A receiver's first
 * time is believed after 10 s of steady reports, a jump only after a longer time unless a time server confirms it. If
 * receivers disagree, the majority is believed; without a majority, no receiver.
 */
export class GpsTime {
  readonly #sources: Sources;
  readonly #receivers = new Map<string, ReceiverTime>();
  #heldMs: number | null = null;
  #refusedDate: (TimeReport & { sentence: string }) | null = null;
  /** Number of reports that were refused for their date. */
  refused = 0;

  constructor(sources: Sources) {
    this.#sources = sources;
  }

  take(report: TimeReport): void {
    const { receiver, utcMs, atMs } = report;
    if (utcMs < EARLIEST_BELIEVED_MS || utcMs >= LATEST_BELIEVED_MS) {
      this.refused++;
      this.#refusedDate = { ...report, sentence: dateSentence(receiver, utcMs) };
      return;
    }
    const known = this.#receivers.get(receiver) ?? this.#begin(receiver, atMs);
    if (known === null) return;
    const wallMs = this.#sources.wall();
    known.take(utcMs, atMs, {
      wallMs: wallMs < EARLIEST_BELIEVED_MS ? null : wallMs - atMs,
      isWallKept: this.#sources.isKept(),
      othersMs: this.#current(atMs).flatMap((other) => (other === known ? [] : (other.offsetMs ?? []))),
    });
  }

  state(nowMs: number): GpsState {
    const current = this.#current(nowMs);
    const jump = this.#jump(nowMs);
    const note = this.#refusedDate !== null && nowMs - this.#refusedDate.atMs <= FRESH_MS ? this.#refusedDate : null;
    // A receiver that jumped does not count in the majority. Without a majority, `#heldMs` keeps the last agreed offset.
    const steady = current.filter((one) => one.jumpMs() === null);
    const agreeing = majority(steady.filter(({ goodMs }) => nowMs - goodMs <= FRESH_MS)) ?? majority(steady);
    if (agreeing !== null && agreeing.length > 0) this.#heldMs = meanOf(agreeing);
    const goodMs = Math.max(...current.map((one) => one.goodMs));
    return {
      offsetMs: this.#heldMs,
      isTrusted: agreeing !== null && agreeing.length > 0,
      ageMs: current.length === 0 ? null : Math.max(0, nowMs - goodMs),
      receivers: (agreeing ?? []).map(({ name }) => name),
      fault: jump ?? disagreement(steady, agreeing),
      note: note?.sentence ?? null,
    };
  }

  #begin(name: string, atMs: number): ReceiverTime | null {
    if (this.#receivers.size >= MOST_RECEIVERS) {
      const silent = [...this.#receivers.values()].find(({ lastMs }) => atMs - lastMs > FRESH_MS);
      if (silent === undefined) return null;
      this.#receivers.delete(silent.name);
    }
    const made = new ReceiverTime(name, atMs);
    this.#receivers.set(name, made);
    return made;
  }

  /** Returns the receivers with a believed offset and a report within the last hour. */
  #current(nowMs: number): ReceiverTime[] {
    return [...this.#receivers.values()].filter(
      ({ offsetMs, lastMs }) => offsetMs !== null && nowMs - lastMs <= HOLD_MS,
    );
  }

  #jump(nowMs: number): string | null {
    for (const one of this.#receivers.values()) {
      const jumpMs = nowMs - one.lastMs <= HOLD_MS ? one.jumpMs() : null;
      if (jumpMs === null) continue;
      return `the GPS time of ${one.name} jumped by ${signedSeconds(jumpMs)} and is not believed: it may be jammed or spoofed`;
    }
    return null;
  }
}

/** Returns the largest group of receivers that agree, if it is more than half of them; else null. */
function majority(receivers: readonly ReceiverTime[]): readonly ReceiverTime[] | null {
  if (receivers.length === 0) return null;
  const groups = receivers.map(({ offsetMs: centreMs }) =>
    receivers.filter(({ offsetMs }) => Math.abs((offsetMs ?? 0) - (centreMs ?? 0)) <= NEAR_MS),
  );
  const greatest = groups.reduce((best, group) => (group.length > best.length ? group : best));
  return greatest.length * 2 > receivers.length ? greatest : null;
}

function meanOf(receivers: readonly ReceiverTime[]): number {
  // The sum is of differences to the first offset, because a sum of large UTC offsets would lose precision.
  const firstMs = receivers[0]?.offsetMs ?? 0;
  const sumMs = receivers.reduce((sum, { offsetMs }) => sum + (offsetMs ?? firstMs) - firstMs, 0);
  return firstMs + sumMs / receivers.length;
}

function disagreement(receivers: readonly ReceiverTime[], agreeing: readonly ReceiverTime[] | null): string | null {
  const sorted = [...receivers].sort((a, b) => (a.offsetMs ?? 0) - (b.offsetMs ?? 0));
  const [first, last] = [sorted[0], sorted.at(-1)];
  if (first === undefined || last === undefined) return null;
  const differenceMs = (last.offsetMs ?? 0) - (first.offsetMs ?? 0);
  // Two receivers within the tolerance of a third form one group, even if the two differ by more than the tolerance.
  if (differenceMs <= NEAR_MS * 2 && agreeing?.length === receivers.length) return null;
  if (differenceMs <= NEAR_MS) return null;
  const names = `the GPS times of ${first.name} and ${last.name} differ by ${seconds(differenceMs)}`;
  if (agreeing === null) return `${names}: neither is believed`;
  return `${names}: that of ${agreeing.map(({ name }) => name).join(' and ')} is used`;
}

function dateSentence(receiver: string, utcMs: number): string {
  const date = new Date(utcMs).toISOString().slice(0, 10);
  return `the receiver ${receiver} reports the date ${date}, which is out of range: it has no date yet, or lost count of the 1 024-week eras of GPS`;
}

export function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

function signedSeconds(ms: number): string {
  return `${ms < 0 ? '' : '+'}${seconds(ms)}`;
}
