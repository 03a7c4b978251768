import type { Track } from '../../model/track.ts';

export type TrailPoint = { lat: number; lon: number; atMs: number };

const MOST_POINTS = 240;

/** Recent positions of each track: older ones from the daemon's history, then those of the stream. */
export class Trails {
  readonly #points = new Map<string, TrailPoint[]>();

  /** Takes the current tracks; trails of ended tracks are dropped. */
  take(tracks: ReadonlyMap<string, Track>, keepS: number): void {
    for (const id of this.#points.keys()) if (!tracks.has(id)) this.#points.delete(id);
    for (const { id, position, last_seen_at } of tracks.values())
      if (position) this.#add(id, position, last_seen_at, keepS);
  }

  #add(id: string, { lat, lon }: { lat: number; lon: number }, at: string, keepS: number): void {
    const points = this.#points.get(id) ?? [];
    const atMs = Date.parse(at);
    const last = points.at(-1);
    if (last && atMs < last.atMs) points.length = 0;
    else if (last && last.lat === lat && last.lon === lon) return;
    points.push({ lat, lon, atMs });
    const old = points.findIndex((point) => point.atMs >= atMs - keepS * 1_000);
    points.splice(0, Math.max(old, points.length - MOST_POINTS));
    this.#points.set(id, points);
  }

  /** Adds past points, oldest first, before those of the stream. Does nothing for a track without points. */
  prepend(id: string, points: readonly TrailPoint[], keepS: number): void {
    const known = this.#points.get(id);
    const [first, last] = [known?.[0], known?.at(-1)];
    if (known === undefined || first === undefined || last === undefined) return;
    const older = points.filter(({ atMs }) => atMs < first.atMs && atMs >= last.atMs - keepS * 1_000);
    known.unshift(...older.slice(Math.max(0, older.length + known.length - MOST_POINTS)));
  }

  of(id: string): readonly TrailPoint[] {
    return this.#points.get(id) ?? [];
  }
}
