import type { AlertService } from '../alerts/alert_service.ts';
import { Outline } from '../geo/shape/outline.ts';
import { vectorOf } from '../geo/shape/plane.ts';
import type { Alert } from '../model/alert.ts';
import type { Track } from '../model/track.ts';
import type { Zone } from '../model/zone.ts';
import type { Registry } from '../registry/registry.ts';
import type { World } from '../world/world.ts';

/** Limit of the alerts that are read to find the alerts of one track. */
const MOST_READ = 20_000;
/** Limit of the alerts in a report. */
const MOST_ALERTS = 200;
/**
 * The search for the alerts of a track begins this long before its first sighting, ms. The alert of a group may be
 * older than a track that joins the group.
 */
const BEFORE_MS = 3_600_000;

/** Facts of a site for a report: zones, names of sensors and assets, and time zones. */
export type EvidencePlace = {
  zones(): readonly Zone[];
  nameOf(id: string): string | null;
  /**
   * Returns the time zone of the smallest region that contains the position. Without such a region, returns the time
   * zone of the only region, else UTC.
   */
  timeZoneAt(place: { lat: number; lon: number } | null): string;
};

export function evidencePlace(
  { regions, assets }: Pick<Registry, 'regions' | 'assets'>,
  { sensors }: Pick<World, 'sensors'>,
  zones: () => readonly Zone[],
): EvidencePlace {
  const nameIn = (rows: readonly { id: string; name: string }[], id: string): string | undefined =>
    rows.find((row) => row.id === id)?.name;
  return {
    zones,
    nameOf: (id) => nameIn(sensors.all(), id) ?? nameIn(assets.list(), id) ?? null,
    timeZoneAt(place) {
      const list = regions.list();
      const shapes = list.map(({ geometry, tz }) => ({ outline: new Outline(geometry), tz }));
      shapes.sort((a, b) => a.outline.reach - b.outline.reach);
      const at = place === null ? null : vectorOf([place.lon, place.lat]);
      const here = at === null ? undefined : shapes.find(({ outline }) => outline.contains(at));
      return here?.tz ?? (list.length === 1 ? list[0]?.tz : undefined) ?? 'UTC';
    },
  };
}

/** Returns the newest alerts about a track, at most `MOST_ALERTS`, the oldest of them first. */
export function alertsOf(alerts: Pick<AlertService, 'list'>, { id, first_seen_at }: Track): Alert[] {
  const found: Alert[] = [];
  let cursor: string | null = null;
  for (let read = 0; read < MOST_READ && found.length < MOST_ALERTS; read += 1_000) {
    const about = { state: null, severity: null, limit: 1_000, cursor, untilMs: null };
    const page: ReturnType<AlertService['list']> = alerts.list({
      ...about,
      sinceMs: Date.parse(first_seen_at) - BEFORE_MS,
    });
    found.push(...page.rows.filter(({ track_ids, subject }) => track_ids.includes(id) || subject.id === id));
    cursor = page.nextCursor;
    if (cursor === null) break;
  }
  return found.slice(0, MOST_ALERTS).reverse();
}
