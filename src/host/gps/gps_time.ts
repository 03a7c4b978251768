import { HOLD_MS, NEAR_MS, ReceiverTime } from './receiver_time.ts';

/** UTC that a receiver with a fix reports; `atMs` is the world time of its arrival. */
export type TimeReport = { receiver: string; utcMs: number; atMs: number };
export type TimeSink = (report: TimeReport) => void;

/** Judgement of all receivers together at a moment. */
export type GpsState = {
  /** Offset from world time to the UTC of the satellites, ms; also held after the reports ended. Null before the first. */
  offsetMs: number | null;
  /** Whether the time is believed now. */
  isTrusted: boolean;
  /** Age of the last report that agrees with the offset, ms; null before the first. */
  ageMs: number | null;
  /** Receivers whose time is used. */
  receivers: readonly string[];
  /** Why a receiver is not believed; null where there is nothing to say. */
  fault: string | null;
  /** A report that was refused in the last minute for its date; null where there was none. */
  note: string | null;
};

/** State of a box without a receiver. */
export const noGps: GpsState = {
  ...{ offsetMs: null, isTrusted: false, ageMs: null, receivers: [], fault: null, note: null },
};

/** No box with this program ever ran at an earlier date. */
export const EARLIEST_BELIEVED_MS = Date.UTC(2024, 0, 1);
/** Weeks that GPS counts before it begins anew: a receiver that lost count is off by a multiple. */
const ERA_MS = 1_024 * 7 * 86_400_000;
const LATEST_BELIEVED_MS = EARLIEST_BELIEVED_MS + ERA_MS;
/** Receivers at a time; further ones are ignored until one was silent for a minute. */
const MOST_RECEIVERS = 8;
const FRESH_MS = 60_000;

type Sources = {
  /** UTC of the system, ms. */
  wall(): number;
  /** Whether a time server keeps the system clock. */
  isKept(): boolean;
};

/**
 * Judges the time that satellite receivers report. A date out of range is refused. A first time needs 10 s of steady
 * reports, and a jump is held back. Receivers that disagree without a majority are not believed.
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
    // A receiver that jumped is no witness of the present, but its time before the jump goes on.
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

  /** Receivers that are believed, with a report within the last hour. */
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

/** The receivers that agree, where they are more than half; null where there is no majority. */
function majority(receivers: readonly ReceiverTime[]): readonly ReceiverTime[] | null {
  if (receivers.length === 0) return null;
  const groups = receivers.map(({ offsetMs: centreMs }) =>
    receivers.filter(({ offsetMs }) => Math.abs((offsetMs ?? 0) - (centreMs ?? 0)) <= NEAR_MS),
  );
  const greatest = groups.reduce((best, group) => (group.length > best.length ? group : best));
  return greatest.length * 2 > receivers.length ? greatest : null;
}

function meanOf(receivers: readonly ReceiverTime[]): number {
  // Relative to the first: a sum of UTC times would lose the milliseconds.
  const firstMs = receivers[0]?.offsetMs ?? 0;
  const sumMs = receivers.reduce((sum, { offsetMs }) => sum + (offsetMs ?? firstMs) - firstMs, 0);
  return firstMs + sumMs / receivers.length;
}

function disagreement(receivers: readonly ReceiverTime[], agreeing: readonly ReceiverTime[] | null): string | null {
  const sorted = [...receivers].sort((a, b) => (a.offsetMs ?? 0) - (b.offsetMs ?? 0));
  const [first, last] = [sorted[0], sorted.at(-1)];
  if (first === undefined || last === undefined) return null;
  const differenceMs = (last.offsetMs ?? 0) - (first.offsetMs ?? 0);
  // Two within the tolerance of a third are one group, however far they are from each other.
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
