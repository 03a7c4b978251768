import { effect } from '@preact/signals';
import type { Track, TrackPoint } from '../../model/track.ts';
import type { Store } from './store.ts';
import type { TrailPoint, Trails } from './trails.ts';

/** Number of tracks whose trail is read from the daemon when a world is first shown: threats first, then the others. */
export const MOST_OLDER_TRAILS = 40;

type Deps = {
  store: Store;
  trails: Trails;
  /** Points of a track since a time, oldest first. */
  historySince(trackId: string, since: string): Promise<readonly TrackPoint[]>;
  /** Length of a trail, s. */
  keepS(): number;
  nowMs(): number | null;
};

/**
 * Reads the trails of a world from the daemon's history once the world is shown. Otherwise the trails of a page that
 * was loaded again would begin empty. Requests are sent one after another. Returns a function that ends this.
 */
export function startOlderTrails(deps: Deps): () => void {
  let epoch: string | null = null;
  return effect(() => {
    const situation = deps.store.situation.value;
    if (situation === null || situation.epoch === epoch) return;
    epoch = situation.epoch;
    // Reads in a microtask, after this effect, so that the effect does not subscribe to the tracks.
    const isShown = (): boolean => deps.store.situation.peek()?.epoch === situation.epoch;
    queueMicrotask(() => void readAll(deps, isShown));
  });
}

async function readAll(deps: Deps, isShown: () => boolean): Promise<void> {
  const { store, trails, historySince, keepS, nowMs } = deps;
  for (const { id } of chosenOf(store)) {
    const now = nowMs();
    if (!isShown() || now === null) return;
    try {
      const points = await historySince(id, new Date(now - keepS() * 1_000).toISOString());
      if (!isShown()) return;
      trails.prepend(id, points.flatMap(trailPoint), keepS());
    } catch {
      // A failure is not shown: without its past, the trail still grows from the stream.
    }
  }
}

function chosenOf(store: Store): Track[] {
  const threatens = ({ id }: Track): number => store.threats.byId.get(id)?.score ?? -1;
  return [...store.tracks.byId.values()].sort((a, b) => threatens(b) - threatens(a)).slice(0, MOST_OLDER_TRAILS);
}

function trailPoint({ at, lat, lon }: TrackPoint): TrailPoint[] {
  return lat === null || lon === null ? [] : [{ lat, lon, atMs: Date.parse(at) }];
}
