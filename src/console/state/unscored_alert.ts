import type { Alert } from '../../model/alert.ts';
import type { Threat, ThreatFactorId } from '../../model/threat.ts';
import type { Track } from '../../model/track.ts';

/**
 * An alert about a track without a level. `noLevel` is the reason why the track has none, `because` the reason for the
 * alert; both are keys of the console's words.
 */
export type UnscoredAlert = {
  severity: Alert['severity'];
  noLevel: 'crewed' | 'friend' | 'bird' | 'neutral' | 'low';
  because: 'zone' | 'gives_way' | 'near_own' | 'rule';
  zoneId: string | null;
};

const calming: Partial<Record<ThreatFactorId, UnscoredAlert['noLevel']>> = {
  crewed: 'crewed',
  friend: 'friend',
  remote_id_friend: 'friend',
  bird: 'bird',
  neutral: 'neutral',
};

const causes: Record<string, UnscoredAlert['because']> = {
  zone_entry: 'zone',
  zone_dwell: 'zone',
  zone_approach: 'zone',
  crewed_aircraft_near: 'gives_way',
  own_platform_close: 'near_own',
};

const severities: readonly string[] = ['info', 'notice', 'warning', 'critical'];

/** The most severe continuing alert about a track without a level, with both reasons; null where there is none. */
export function unscoredAlert(
  track: Pick<Track, 'id' | 'classification' | 'affiliation'>,
  threat: Pick<Threat, 'level' | 'factors'> | undefined,
  alerts: readonly Pick<Alert, 'state' | 'severity' | 'rule_id' | 'zone_id' | 'track_ids'>[],
): UnscoredAlert | null {
  if (threat !== undefined && threat.level !== 'none') return null;
  const [worst] = alerts
    .filter(({ state, track_ids }) => state !== 'cleared' && track_ids.includes(track.id))
    .sort((a, b) => severities.indexOf(b.severity) - severities.indexOf(a.severity));
  if (worst === undefined) return null;
  const because = causes[worst.rule_id] ?? 'rule';
  return { severity: worst.severity, noLevel: noLevelOf(track, threat), because, zoneId: worst.zone_id };
}

/**
 * Reason why a track has no level: the factor of `calming` that lowers the score most. Without a threat, the reason is
 * the track's type or affiliation. In all other cases it is `low`.
 */
function noLevelOf(
  { classification: [best], affiliation }: Pick<Track, 'classification' | 'affiliation'>,
  threat: Pick<Threat, 'factors'> | undefined,
): UnscoredAlert['noLevel'] {
  if (threat !== undefined) {
    const lowering = threat.factors.filter(({ id, contribution }) => contribution < 0 && calming[id] !== undefined);
    const [most] = lowering.sort((a, b) => a.contribution - b.contribution);
    return (most && calming[most.id]) ?? 'low';
  }
  if (best?.type === 'crewed_aircraft') return 'crewed';
  if (best?.type === 'bird') return 'bird';
  return affiliation === 'friend' || affiliation === 'neutral' ? affiliation : 'low';
}
