import type { Received } from './messages.ts';

/** Kinds of events that replace an older event of the same object. */
const replaced = new Set([
  'fleet_update',
  'sensor_update',
  'link_update',
  'outlet_update',
  'threat_update',
  'health_update',
  'sim_state',
  'tick',
]);

const keyOf = ({ kind, body }: Received): string => {
  const { id, key, track_id } = body as { id?: string; key?: string; track_id?: string };
  return `${kind} ${id ?? key ?? track_id ?? ''}`;
};

/**
 * Merges the events of one batch. Updates of one track are merged field by field. If an update replaces a whole row,
 * only the newest is kept. Other events keep their order. A merged update takes the position of its newest event. An
 * event of another kind about the same track ends the merge.
 */
export function coalesce(events: readonly Received[]): Received[] {
  const merged: (Received | null)[] = [];
  const places = new Map<string, number>();
  for (const event of events) {
    const key = keyOf(event);
    if (event.kind === 'track_update' || replaced.has(event.kind)) {
      const place = places.get(key);
      const before = place === undefined ? null : merged[place];
      if (place !== undefined) merged[place] = null;
      const body = before && event.kind === 'track_update' ? { ...before.body, ...event.body } : event.body;
      places.set(key, merged.length);
      merged.push({ ...event, body });
    } else {
      const { id } = event.body as { id?: string };
      if (id !== undefined) places.delete(`track_update ${id}`);
      if (event.kind === 'snapshot') places.clear();
      merged.push(event);
    }
  }
  return merged.filter((event) => event !== null);
}
