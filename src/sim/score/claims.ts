import type { LocalFrame } from '../../geo/local_frame.ts';
import type { Track } from '../../model/track.ts';
import type { Cast } from './cast.ts';
import { placesOf } from './skies.ts';
import type { Sky } from './tracking_score.ts';
import type { TruePlace } from './truth.ts';

/** Claimed positions where nothing is: aircraft that spoofers invent, and false positions of aircraft that lie. */
export function claimedPlaces(cast: Cast, truth: readonly TruePlace[], frame: LocalFrame, atS: number): Sky {
  // Most scenarios have nobody who lies; then no name is looked up.
  if (![...cast.all()].some(({ kind, remote_id: remoteId }) => kind === 'spoofer' || remoteId?.lies !== undefined))
    return { ids: [], spots: new Float64Array() };
  const invented = truth.filter(({ kind, id }) => kind === 'spoofer' && cast.of(id)?.id !== id);
  const liars = truth.filter(({ id }) => (cast.of(id)?.remote_id?.lies?.from_s ?? Infinity) <= atS);
  const sky = placesOf([...invented, ...liars], frame);
  for (const [i, { id }] of liars.entries()) {
    const lies = cast.of(id)?.remote_id?.lies;
    const at = 3 * (invented.length + i);
    for (const [axis, offM] of [lies?.east_m, lies?.north_m, lies?.up_m].entries())
      sky.spots[at + axis] = (sky.spots[at + axis] ?? 0) + (offM ?? 0);
  }
  return sky;
}

/** The spoofer that invented a track which only its claims support; null where there is none, or which one is open. */
export function inventorOf(cast: Cast, { cooperative, identities }: Track): string | null {
  if (cooperative !== 'coop_only') return null;
  const spoofers = [...cast.all()].filter(({ kind }) => kind === 'spoofer');
  const named = spoofers.find(({ remote_id: remoteId }) => identities.some(({ value }) => value === remoteId?.serial));
  return (named ?? (spoofers.length === 1 ? spoofers[0] : undefined))?.id ?? null;
}
