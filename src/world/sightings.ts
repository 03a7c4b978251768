import type { Assessment, NearestApproach } from '../model/assessment.ts';
import type { ZoneEvent } from '../model/firing.ts';
import { threatLevels } from '../model/posture.ts';
import { mostZonesEntered, type SightingSummary } from '../model/sighting.ts';
import type { TrackRemoval } from '../model/track_row.ts';
import type { Zone } from '../model/zone.ts';
import { round } from '../picture/track_document.ts';

/** Limit of the summaries in memory; beyond it the oldest is dropped. */
const MOST = 20_000;

type SightingDeps = {
  utcMs(worldMs: number): number;
  zone(id: string): Pick<Zone, 'name' | 'kind'> | undefined;
};

/**
 * Keeps summaries of tracks: highest threat level, nearest approach to a protected area or asset, and zones entered.
 * The history stores a summary with the track's last document, so that a list of past tracks need not read their
 * points.
 */
export class Sightings {
  readonly #deps: SightingDeps;
  readonly #byTrack = new Map<string, SightingSummary>();
  /** Tracks that were confirmed. Other tracks may be false reports and do not count as sightings. */
  readonly #confirmed = new Set<string>();

  /** `before`: summaries of the tracks that an earlier run left open. */
  constructor(deps: SightingDeps, before: ReadonlyMap<string, SightingSummary> = new Map()) {
    this.#deps = deps;
    for (const [trackId, summary] of before) {
      this.#byTrack.set(trackId, summary);
      this.#confirmed.add(trackId);
    }
  }

  take({ threats, zoneEvents, nearest }: Assessment): void {
    for (const { trackId, level } of threats) {
      const summary = this.#of(trackId);
      summary.level = Math.max(summary.level, threatLevels.indexOf(level));
    }
    for (const approach of nearest) this.#approached(approach);
    for (const event of zoneEvents) this.#moved(event);
  }

  confirmed(trackId: string): void {
    this.#confirmed.add(trackId);
  }

  /** Returns the summary of a track; null if the track was never confirmed. */
  of(trackId: string): SightingSummary | null {
    return this.#confirmed.has(trackId) ? this.#of(trackId) : null;
  }

  /** Forgets a track that ended. The summary of a track that was merged is added to that of the remaining track. */
  forget({ id, into }: Pick<TrackRemoval, 'id' | 'into'>): void {
    const summary = this.#byTrack.get(id);
    this.#byTrack.delete(id);
    this.#confirmed.delete(id);
    if (summary && into !== undefined) inherit(this.#of(into), summary);
  }

  #of(trackId: string): SightingSummary {
    const known = this.#byTrack.get(trackId);
    if (known) return known;
    const [oldest] = this.#byTrack.size >= MOST ? this.#byTrack.keys() : [];
    if (oldest !== undefined) this.forget({ id: oldest });
    const summary: SightingSummary = { level: 0, nearest: null, zones: [] };
    this.#byTrack.set(trackId, summary);
    return summary;
  }

  #approached({ trackId, kind, id, name, distanceM, atMs }: NearestApproach): void {
    const summary = this.#of(trackId);
    // A restarted core does not know earlier approaches, so a farther approach does not replace the stored one.
    if (summary.nearest !== null && summary.nearest.distance_m <= distanceM) return;
    summary.nearest = { kind, id, name, distance_m: round(distanceM, 1), at_ms: Math.round(this.#deps.utcMs(atMs)) };
  }

  #moved({ trackId, zoneId, transition, atMs }: ZoneEvent): void {
    if (transition !== 'enter' && transition !== 'exit') return;
    const { zones } = this.#of(trackId);
    const utcMs = Math.round(this.#deps.utcMs(atMs));
    const known = zones.find(({ zone_id }) => zone_id === zoneId);
    if (transition === 'exit') {
      if (known) known.left_ms = utcMs;
    } else if (known) {
      known.left_ms = null;
      known.entries += 1;
    } else if (zones.length < mostZonesEntered) {
      const { name = null, kind = null } = this.#deps.zone(zoneId) ?? {};
      zones.push({ zone_id: zoneId, name, kind, entered_ms: utcMs, left_ms: null, entries: 1 });
    }
  }
}

function inherit(heir: SightingSummary, gone: SightingSummary): void {
  heir.level = Math.max(heir.level, gone.level);
  if (gone.nearest && (heir.nearest === null || gone.nearest.distance_m < heir.nearest.distance_m))
    heir.nearest = gone.nearest;
  for (const zone of gone.zones) {
    const known = heir.zones.find(({ zone_id }) => zone_id === zone.zone_id);
    if (!known) heir.zones.push(zone);
    else {
      known.entered_ms = Math.min(known.entered_ms, zone.entered_ms);
      known.entries += zone.entries;
    }
  }
  heir.zones.sort((a, b) => a.entered_ms - b.entered_ms);
  heir.zones.splice(mostZonesEntered);
}
