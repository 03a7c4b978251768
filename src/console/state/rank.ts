import type { Alert } from '../../model/alert.ts';
import type { Threat } from '../../model/threat.ts';
import type { Track } from '../../model/track.ts';
import { type Fold, foldBy } from './fold.ts';

export const levels: readonly Threat['level'][] = ['none', 'low', 'medium', 'high', 'critical'];
const severities: readonly string[] = ['info', 'notice', 'warning', 'critical'];
const lostStates: ReadonlySet<Track['state']> = new Set(['lost', 'closed']);

export type ThreatRow = { threat: Threat; track: Track };

/** Scores at which levels begin, and the points below such a score at which a level begins to fall. */
type Thresholds = Readonly<Record<Exclude<Threat['level'], 'none'> | 'hysteresis', number>>;

/**
 * Why a level stands above its score. `falls`: the level falls after a delay, unless a rule holds it. `stays`: the score
 * is not low enough for that. Null where the score reaches the level, or the thresholds are unknown.
 */
export function aboveScore(
  { level, score }: Pick<Threat, 'level' | 'score'>,
  thresholds: Thresholds | null,
): 'falls' | 'stays' | null {
  if (thresholds === null || level === 'none' || score >= thresholds[level]) return null;
  return score < thresholds[level] - thresholds.hysteresis ? 'falls' : 'stays';
}

/** Whether sensors that cover the reported position see nothing there: the aircraft may be an invention of its transmitter. */
export const isUnseenClaim = ({ integrity: { verdict, reasons } }: Pick<Track, 'integrity'>): boolean =>
  verdict === 'suspect' && reasons.some(({ id }) => id === 'not_seen_by_sensor');

/**
 * Threats of at least `low`, by level, time to entry and score; dismissed ones last. Within a level, lost tracks and
 * claims that sensors do not see come after the others: a transmitter must not fill the head of the list.
 */
export function rankThreats(threats: readonly Threat[], trackOf: (id: string) => Track | undefined): ThreatRow[] {
  const rows = threats.flatMap((threat) => {
    const track = trackOf(threat.track_id);
    return track && threat.level !== 'none' ? [{ threat, track }] : [];
  });
  return rows.sort(compareThreats);
}

/** Limit of the tracks that one line can name. */
const MOST_NAMED = 3;

/**
 * Tracks without a level that have an active, unacknowledged alert, such as a crewed aircraft in a zone. The list of
 * threats leaves these tracks out. `severity` is the worst of these alerts, null where there is none of at least
 * `warning`; `ids` are the first tracks of that severity, at most three; `more` counts all others. A track that is gone
 * has no name and is left out.
 */
export function unscoredTracks(
  alerts: readonly Alert[],
  threatOf: ThreatOf,
  isThere: (id: string) => boolean,
): { severity: 'critical' | 'warning' | null; ids: string[]; more: number } {
  const idsOf = (severity: Alert['severity']): string[] =>
    alerts
      .filter((one) => one.state === 'active' && one.acknowledged === null && one.severity === severity)
      .flatMap(({ track_ids }) => track_ids)
      .filter((id) => isThere(id) && (threatOf(id)?.level ?? 'none') === 'none');
  const critical = new Set(idsOf('critical'));
  const all = new Set([...critical, ...idsOf('warning')]);
  if (all.size === 0) return { severity: null, ids: [], more: 0 };
  const ids = [...(critical.size > 0 ? critical : all)].slice(0, MOST_NAMED);
  return { severity: critical.size > 0 ? 'critical' : 'warning', ids, more: all.size - ids.length };
}

/** A threat of a swarm's highest level, and the other threats of the swarm. A single threat has no `others`. */
export type Swarm = Fold<ThreatRow>;

/**
 * Folds ranked threats that fly together into one row, at the place of the first. Dismissed threats are not folded, and
 * neither are critical ones inside their zone, because the worst must be visible. Claims that sensors do not see are
 * folded all the same. The first of a swarm does not depend on times and scores, which change from second to second.
 * While the order is held, each swarm keeps its first: `heldHeads` has the tracks that are shown, by group.
 */
export function foldSwarms(
  rows: readonly ThreatRow[],
  heldHeads: ReadonlyMap<string, string> = new Map(),
  groupOf: (track: Track) => string | null = ({ group_id }) => group_id,
): Swarm[] {
  const swarms = foldBy(rows, (row) => (mayFold(row) ? groupOf(row.track) : null));
  return swarms.map(({ first, others }) => {
    const sorted = [first, ...others].sort(compareInSwarm);
    const held = heldHeads.get(groupOf(first.track) ?? '');
    const head = sorted.find(({ track }) => track.id === held) ?? sorted[0] ?? first;
    return { first: head, others: sorted.filter((one) => one !== head) };
  });
}

function mayFold({ threat, track }: ThreatRow): boolean {
  const isWorst = threat.level === 'critical' && threat.nearest_zone?.inside === true && !isUnseenClaim(track);
  return threat.dismissed === null && !isWorst;
}

/**
 * Key by which plans about the tracks of a swarm are folded; null for a track whose plans stand alone. Claims that
 * sensors do not see have a key of their own: they must not hide a plan about an aircraft that is there.
 */
export function planFoldOf(row: ThreatRow, group: string | null): string | null {
  return group === null || !mayFold(row) ? null : `${group} ${isUnseenClaim(row.track)}`;
}

function compareInSwarm({ threat: a, track: ofA }: ThreatRow, { threat: b, track: ofB }: ThreatRow): number {
  return (
    levels.indexOf(b.level) - levels.indexOf(a.level) ||
    Number(isUnseenClaim(ofA)) - Number(isUnseenClaim(ofB)) ||
    a.track_id.localeCompare(b.track_id)
  );
}

function compareThreats({ threat: a, track: ofA }: ThreatRow, { threat: b, track: ofB }: ThreatRow): number {
  return (
    Number(a.dismissed !== null) - Number(b.dismissed !== null) ||
    levels.indexOf(b.level) - levels.indexOf(a.level) ||
    Number(lostStates.has(ofA.state)) - Number(lostStates.has(ofB.state)) ||
    Number(isUnseenClaim(ofA)) - Number(isUnseenClaim(ofB)) ||
    entryS(a) - entryS(b) ||
    b.score - a.score ||
    a.track_id.localeCompare(b.track_id)
  );
}

/**
 * Time to entry, s: 0 inside, the greatest number where the track does not enter its nearest zone, infinite where no
 * zone is near.
 */
function entryS({ nearest_zone: zone }: Threat): number {
  if (zone === null) return Number.POSITIVE_INFINITY;
  return zone.inside ? 0 : (zone.eta_s ?? Number.MAX_VALUE);
}

/** True of an alert that asks an own vehicle to give way to an aircraft with people on board. */
const givesWay = ({ rule_id }: Alert): boolean => rule_id === 'crewed_aircraft_near';

/** Threat of a track by its id. */
type ThreatOf = (trackId: string) => Threat | undefined;

/** The most dangerous track of an alert that nobody dismissed; undefined where none has a level. */
export function worstThreat({ track_ids: ids }: Pick<Alert, 'track_ids'>, threatOf: ThreatOf): Threat | undefined {
  const threats = ids.flatMap((id) => threatOf(id) ?? []).filter(({ dismissed }) => dismissed === null);
  const [worst] = threats.sort((a, b) => levels.indexOf(b.level) - levels.indexOf(a.level) || b.score - a.score);
  return worst?.level === 'none' ? undefined : worst;
}

/**
 * The most dangerous track of an alert, if its level is above the severity of the alert. A critical threat in a zone
 * whose alarm is a warning is such a track. Without a word about it, threats and alerts seem to contradict each other.
 */
export function threatAbove(alert: Pick<Alert, 'severity' | 'track_ids'>, threatOf: ThreatOf): Threat | undefined {
  const worst = worstThreat(alert, threatOf);
  return worst !== undefined && levels.indexOf(worst.level) - 1 > severities.indexOf(alert.severity)
    ? worst
    : undefined;
}

/**
 * Alerts in the order of the list: unacknowledged before acknowledged, active before cleared, then by severity. Within
 * a severity, alerts about lost tracks come last. Alerts that ask a vehicle to give way come first, unless it stands
 * already (`isAnswered`). The others are by the level of their most dangerous track, as in the list of threats. Alerts about nothing but claims that no sensor
 * sees come after their equals. Then the oldest comes first. Settled alerts are left out: both acknowledged and cleared,
 * or cleared long ago.
 */
export function rankAlerts(
  alerts: readonly Alert[],
  trackOf: (id: string) => Track | undefined,
  threatOf: ThreatOf,
  isAnswered: (alert: Alert) => boolean = () => false,
): Alert[] {
  const isUrgent = (alert: Alert): boolean => givesWay(alert) && !isAnswered(alert);
  const isLost = ({ track_ids: ids }: Alert): boolean =>
    ids.length > 0 && ids.every((id) => lostStates.has(trackOf(id)?.state ?? 'closed'));
  const areUnseen = ({ track_ids: ids }: Alert): boolean =>
    ids.length > 0 && ids.map(trackOf).every((track) => track !== undefined && isUnseenClaim(track));
  const shown = alerts.filter(({ settled_at }) => settled_at === null);
  const ranks = new Map(shown.map((one) => [one, levels.indexOf(worstThreat(one, threatOf)?.level ?? 'none')]));
  const levelOf = (alert: Alert): number => ranks.get(alert) ?? 0;
  return shown.sort(
    (a, b) =>
      Number(a.acknowledged !== null) - Number(b.acknowledged !== null) ||
      Number(a.state === 'cleared') - Number(b.state === 'cleared') ||
      severities.indexOf(b.severity) - severities.indexOf(a.severity) ||
      Number(isLost(a)) - Number(isLost(b)) ||
      Number(isUrgent(b)) - Number(isUrgent(a)) ||
      levelOf(b) - levelOf(a) ||
      Number(areUnseen(a)) - Number(areUnseen(b)) ||
      a.raised_at.localeCompare(b.raised_at) ||
      a.id.localeCompare(b.id),
  );
}
