import type { TrackView } from '../../../model/outlet_view.ts';
import { likeliestClass, type Track } from '../../../model/track.ts';

type Class = Track['classification'][number]['type'];

/** Part of a CoT type that follows the letter of the affiliation: battle dimension and function. */
const functionOf: Partial<Record<Class, string>> = {
  multirotor: 'A-M-H-Q',
  vtol: 'A-M-H-Q',
  helicopter: 'A-M-H-Q',
  fixed_wing: 'A-M-F-Q',
  glider: 'A-M-F-Q',
  airship: 'A-M-L',
  balloon: 'A-M-L',
  crewed_aircraft: 'A-C',
  person: 'G',
  vehicle: 'G',
};
const letterOf: Record<Track['affiliation'], string> = { friend: 'f', hostile: 'h', neutral: 'n', unknown: 'u' };
const remoteIdTypes: ReadonlySet<string> = new Set(['serial', 'caa', 'utm', 'session']);
/**
 * Forms in which an operator may write a type: `a-f-A-M-F-Q`, `a-.-A`, or `A-M-F-Q`. The regular expression captures
 * the part after the affiliation.
 */
const withAffiliation = /^a-[a-z.]-(.+)$/i;
const typeForm = /^[A-Za-z0-9-]{1,60}$/;

/** Returns the CoT type of a track's event. Its affiliation is always friend, hostile, neutral or unknown. */
export function typeOf({ track, asset }: TrackView): string {
  return `a-${letterOf[track.affiliation]}-${ownFunction(asset?.cotType ?? null) ?? functionOfTrack(track)}`;
}

function functionOfTrack(track: Track): string {
  const of = functionOf[likeliestClass(track) ?? 'other'];
  if (of !== undefined) return of;
  const isBird = likeliestClass(track) === 'bird';
  return !isBird && track.identities.some(({ type }) => remoteIdTypes.has(type)) ? 'A-M-H-Q' : 'A';
}

function ownFunction(cotType: string | null): string | null {
  if (cotType === null || !typeForm.test(cotType)) return null;
  return withAffiliation.exec(cotType)?.[1] ?? cotType;
}
