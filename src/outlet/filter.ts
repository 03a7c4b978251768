import type { OutletFilter } from '../model/outlet.ts';
import { type ThreatLevel, threatLevels } from '../model/posture.ts';
import { likeliestClass, type Track } from '../model/track.ts';
import type { PreparedArea } from './area.ts';

/** Decision whether a track is sent, or the reason why not. Simulated and replayed tracks are never sent. */
export type Verdict = 'sent' | 'filter' | 'no_position' | 'not_live';

export function verdictOf(track: Track, level: ThreatLevel, filter: OutletFilter, area: PreparedArea): Verdict {
  if (track.provenance !== 'live') return 'not_live';
  if (!passes(track, level, filter)) return 'filter';
  if (track.position === null) return 'no_position';
  return area.contains(track.position.lat, track.position.lon) ? 'sent' : 'filter';
}

function passes(track: Track, level: ThreatLevel, filter: OutletFilter): boolean {
  const { affiliations, least_level, states, crewed, birds, assets } = filter;
  if (!affiliations.includes(track.affiliation) || !states.includes(track.state)) return false;
  if (threatLevels.indexOf(level) < threatLevels.indexOf(least_level)) return false;
  if (!assets && track.asset_id !== null) return false;
  const of = likeliestClass(track);
  return (crewed || of !== 'crewed_aircraft') && (birds || of !== 'bird');
}
