import { LAST_SEEN } from '../../model/firing.ts';
import { heightAbove, metres, seconds } from '../threat/words.ts';
import type { TrackFacts, ZoneFact } from './facts.ts';

export { metres, seconds };

const LISTED = 3;

/** Describes a track by affiliation, type and identity: `T-0042 (unknown, multirotor, serial 1581F…)`. */
export function who(track: TrackFacts): string {
  const [type] = track.classification;
  const [identity] = track.identities;
  const parts: string[] = [track.affiliation];
  if (type) parts.push(type.label.replaceAll('_', ' '));
  if (identity && track.named) parts.push(`${identity.type.replaceAll('_', ' ')} ${identity.value}`);
  else parts.push(track.assetId === null ? 'no identity' : 'identity of one of our assets');
  return `${track.label} (${parts.join(', ')})`;
}

/** Describes tracks: a single track as `who` does, several tracks by their number and labels. */
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

/** Whether all tracks are lost, so that texts about them use the past tense. */
export function isPast(tracks: readonly Pick<TrackFacts, 'state'>[]): boolean {
  return tracks.length > 0 && tracks.every(({ state }) => state === 'lost');
}

/**
 * Returns the verb form for the number of tracks, in present or past tense: `verb(tracks, 'stays', 'stay', 'stayed')`.
 */
export function verb(tracks: readonly Pick<TrackFacts, 'state'>[], one: string, many: string, past: string): string {
  if (isPast(tracks)) return past;
  return tracks.length === 1 ? one : many;
}

/** Returns `is`, `are`, `was` or `were`. */
export function are(tracks: readonly Pick<TrackFacts, 'state'>[]): string {
  return verb(tracks, 'is', 'are', tracks.length === 1 ? 'was' : 'were');
}

/** States when lost tracks were last seen; empty string for present tracks. */
export function lastSeen(tracks: readonly Pick<TrackFacts, 'state'>[]): string {
  return isPast(tracks) ? `, last seen ${LAST_SEEN}` : '';
}

/** Describes height, speed and heading of a track; for a lost track, when it was last seen. */
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

/** States the time until entry; empty string if the track will not enter, or is inside already. */
export function howSoon(etaS: number): string {
  return Number.isFinite(etaS) && etaS > 0 ? ` in about ${seconds(etaS)}` : '';
}

/** States the distance from the nearest protected area, and the closing speed if the track approaches it. */
export function whereTo(track?: TrackFacts): string {
  const { nearest } = track ?? {};
  if (!track || !nearest || nearest.distanceM <= 0 || isPast([track]) || !(nearest.closingMps >= 1))
    return whereFrom(track);
  return `${whereFrom(track)}, closing at ${Math.round(nearest.closingMps)} m/s`;
}

/** States the distance from the nearest protected area. */
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
