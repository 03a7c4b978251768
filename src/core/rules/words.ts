import { LAST_SEEN } from '../../model/firing.ts';
import { heightAbove, metres, seconds } from '../threat/words.ts';
import type { TrackFacts, ZoneFact } from './facts.ts';

export { metres, seconds };

const LISTED = 3;

/** Identity of a track as far as it is known: `T-0042 (unknown, multirotor, serial 1581F…)`. */
export function who(track: TrackFacts): string {
  const [type] = track.classification;
  const [identity] = track.identities;
  const parts: string[] = [track.affiliation];
  if (type) parts.push(type.label.replaceAll('_', ' '));
  if (identity && track.named) parts.push(`${identity.type.replaceAll('_', ' ')} ${identity.value}`);
  else parts.push(track.assetId === null ? 'no identity' : 'identity of one of our assets');
  return `${track.label} (${parts.join(', ')})`;
}

/** Description of tracks: one by all that is known of it, several by their number and labels. */
export function whoAll(tracks: readonly TrackFacts[]): string {
  const [first] = tracks;
  if (first && tracks.length === 1) return who(first);
  return `${tracks.length} aircraft (${labels(tracks)})`;
}

export function labels(tracks: readonly { label: string }[]): string {
  const named = tracks.slice(0, LISTED).map(({ label }) => label);
  const more = tracks.length - named.length;
  return more > 0 ? `${named.join(', ')} and ${more} more` : named.join(', ');
}

/** Whether none of the tracks is perceived now: texts about them then use the past tense. */
export function isPast(tracks: readonly Pick<TrackFacts, 'state'>[]): boolean {
  return tracks.length > 0 && tracks.every(({ state }) => state === 'lost');
}

/** A verb for the number of tracks, in the present or the past: `verb(tracks, 'stays', 'stay', 'stayed')`. */
export function verb(tracks: readonly Pick<TrackFacts, 'state'>[], one: string, many: string, past: string): string {
  if (isPast(tracks)) return past;
  return tracks.length === 1 ? one : many;
}

/** `is`, `are`, `was` or `were`. */
export function are(tracks: readonly Pick<TrackFacts, 'state'>[]): string {
  return verb(tracks, 'is', 'are', tracks.length === 1 ? 'was' : 'were');
}

/** When lost tracks were perceived last; empty for present ones. */
export function lastSeen(tracks: readonly Pick<TrackFacts, 'state'>[]): string {
  return isPast(tracks) ? `, last seen ${LAST_SEEN}` : '';
}

/** Height, speed and heading of a track; for a lost track, when it was last seen. */
export function how(track: TrackFacts): string {
  const { heightM, altHaeM, speedMps, courseDeg } = track;
  if (isPast([track])) return lastSeen([track]);
  const parts: string[] = [];
  if (!Number.isNaN(heightM)) parts.push(heightAbove(heightM, track.heightAbove));
  else parts.push(Number.isNaN(altHaeM) ? 'height unknown' : 'height above ground unknown');
  if (!Number.isNaN(speedMps)) parts.push(`at ${Math.round(speedMps)} m/s`);
  if (speedMps >= 1 && !Number.isNaN(courseDeg)) parts.push(`heading ${bearing(courseDeg)}`);
  return parts.length === 0 ? '' : `, ${parts.join(', ')}`;
}

const points = ['north', 'north-east', 'east', 'south-east', 'south', 'south-west', 'west', 'north-west'];

function bearing(courseDeg: number): string {
  return points[Math.round((((courseDeg % 360) + 360) % 360) / 45) % 8] ?? 'north';
}

/** Time to entry; empty where it never comes. */
export function howSoon(etaS: number): string {
  return Number.isFinite(etaS) && etaS > 0 ? ` in about ${seconds(etaS)}` : '';
}

/** Distance from the nearest protected area, and the closing speed where it comes nearer. */
export function whereTo(track?: TrackFacts): string {
  const { nearest } = track ?? {};
  if (!track || !nearest || nearest.distanceM <= 0 || isPast([track]) || !(nearest.closingMps >= 1))
    return whereFrom(track);
  return `${whereFrom(track)}, closing at ${Math.round(nearest.closingMps)} m/s`;
}

/** Distance from the nearest protected area. */
export function whereFrom(track?: TrackFacts): string {
  const nearest = track?.nearest;
  if (!nearest) return '';
  const name = `${nearest.name} (${nearest.zoneKind ?? 'asset'})`;
  if (nearest.distanceM <= 0) return `, in ${name}`;
  return `, ${metres(nearest.distanceM)} from ${name}`;
}

export function zoneName(zone: ZoneFact | null): string {
  return zone === null ? 'the zone' : `${zone.name} (${zone.kind.replace('_', ' ')})`;
}
