import { createSocket } from 'node:dgram';
import type { Track, TrackPoint } from '../../../src/model/track.ts';
import { rowOf, serialOf } from '../../../test/support/daemon/swarm.ts';

export const AIRCRAFT = 6;
const HZ = 5;
/** Life of a track in the configuration of the box, s. */
export const CLOSE_S = 30;
/** A kill may cost so much of the history: a document of each track is written every 2 s, in batches of a second. */
const COST_S = 3.5;
/** Reports of the moment of the kill may have been taken or not, and clocks of two processes are read one after the other. */
const MOMENT_S = 0.3;
/** An age that close to the end of a track's life may fall on either side. */
const MARGIN_S = 4;

type Points = ReadonlyMap<string, readonly TrackPoint[]>;
type Seen = { atMs: number; tracks: readonly Track[] };

/** Aircraft that report while the daemon runs, and what must be true of their tracks after a kill. */
export class Flights {
  /** Tracks that were found again with their ages. */
  restored = 0;
  readonly #beganMs = performance.now();
  readonly #sentMs = new Map<string, number>();
  /** What must be on the disk: the latest state of each track before the time that a kill costs. */
  readonly #kept = new Map<string, Track>();
  readonly #points = new Map<string, readonly TrackPoint[]>();
  readonly #idOfNumber = new Map<string, string>();
  #seen: Seen[] = [];

  /** Begins to report; answers the way to end it. */
  fly(port: number): () => void {
    const socket = createSocket('udp4');
    socket.on('error', () => {});
    let turn = 0;
    const send = (): void => {
      const aircraft = turn++ % AIRCRAFT;
      const row = rowOf(aircraft, 'mast', (performance.now() - this.#beganMs) / 1_000);
      socket.send(`${JSON.stringify(row)}\n`, port, '127.0.0.1');
      this.#sentMs.set(serialOf(aircraft), Date.now());
    };
    const timer = setInterval(send, 1_000 / (AIRCRAFT * HZ));
    return () => {
      clearInterval(timer);
      socket.close();
    };
  }

  /** Tracks that the daemon showed, and points that it read from the disk. */
  saw(tracks: readonly Track[], points: Points): void {
    this.#seen.push({ atMs: Date.now(), tracks });
    for (const [id, stored] of points) this.#points.set(id, stored);
  }

  /** The daemon died at this time, ms since the epoch. */
  killed(atMs: number): void {
    for (const { atMs: seenMs, tracks } of this.#seen)
      if (seenMs < atMs - COST_S * 1_000) for (const track of tracks) this.#kept.set(track.id, track);
    this.#seen = [];
  }

  /** Differences after a start, before anything is reported again. `points` has what is stored of each track. */
  differences(tracks: readonly Track[], points: Points, nowMs: number): string[] {
    const wrong: string[] = [];
    for (const track of tracks) wrong.push(...this.#faultsOf(track), ...this.#lost(track, points));
    const present = new Set(tracks.map(({ id }) => id));
    for (const { id, number, last_seen_at } of this.#kept.values()) {
      const ageS = ageOf(last_seen_at, nowMs);
      if (!present.has(id) && ageS < CLOSE_S - MARGIN_S)
        wrong.push(`${number} is gone at an age of ${ageS.toFixed(1)} s`);
    }
    this.restored += tracks.length;
    this.#kept.clear();
    for (const track of tracks) this.#kept.set(track.id, track);
    for (const id of this.#points.keys()) if (!present.has(id)) this.#points.delete(id);
    return wrong;
  }

  #faultsOf(track: Track): string[] {
    const { id, number, state, last_seen_at } = track;
    const wrong: string[] = [];
    const seenMs = Date.parse(last_seen_at);
    const sentMs = this.#sentMs.get(serialIn(track) ?? '') ?? 0;
    const keptMs = Date.parse(this.#kept.get(id)?.last_seen_at ?? last_seen_at);
    if (state !== 'lost') wrong.push(`${number} is ${state} and not lost`);
    if (seenMs > sentMs + MOMENT_S * 1_000)
      wrong.push(`${number} was last seen ${seenMs - sentMs} ms after its last report`);
    if (seenMs < keptMs) wrong.push(`${number} was seen ${keptMs - seenMs} ms later than it says`);
    const former = this.#idOfNumber.get(number) ?? id;
    if (former !== id) wrong.push(`the number ${number} was of ${former} and is of ${id}`);
    this.#idOfNumber.set(number, id);
    return wrong;
  }

  #lost({ id, number }: Track, points: Points): string[] {
    const seen = this.#points.get(id) ?? [];
    const times = new Set((points.get(id) ?? []).map(({ at }) => at));
    const lost = seen.filter(({ at }) => !times.has(at));
    return lost.length > 0 ? [`${number} has lost ${lost.length} of ${seen.length} stored points`] : [];
  }
}

/** Tracks past the end of their life that are still shown. */
export function overdue(tracks: readonly Track[], nowMs: number): Track[] {
  return tracks.filter(({ last_seen_at }) => ageOf(last_seen_at, nowMs) > CLOSE_S + MARGIN_S);
}

function ageOf(at: string, nowMs: number): number {
  return (nowMs - Date.parse(at)) / 1_000;
}

function serialIn({ identities }: Track): string | null {
  return identities.find(({ type }) => type === 'serial')?.value ?? null;
}
