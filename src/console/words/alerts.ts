import type { Alert } from '../../model/alert.ts';
import type { FleetRow } from '../../model/fleet.ts';
import type { Threat } from '../../model/threat.ts';
import { isMoving } from '../state/movements.ts';
import { clockText, durationText } from './units.ts';

/** Texts of the list of alerts. */
export const alertWords = {
  alertOrder: 'worst first',
  alertOrderHint: 'By severity, then by the level of the threat, then by age. Acknowledged and ended alerts are last.',
  /** Unacknowledged alerts that are out of view, by keys that end with their severity. */
  unseenAlerts: (keys: readonly string[]) => {
    const ofSeverity = (severity: string): number => keys.filter((key) => key.endsWith(`:${severity}`)).length;
    const [critical, warnings] = [ofSeverity('critical'), ofSeverity('warning')];
    const alerts = (count: number): string => (count === 1 ? 'alert' : 'alerts');
    if (critical === keys.length) return `${critical} critical ${alerts(critical)} out of view`;
    const worst = [
      ...(critical === 0 ? [] : [`${critical} critical`]),
      ...(warnings === 0 ? [] : [`${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`]),
    ];
    return [`${keys.length} ${alerts(keys.length)} out of view`, ...worst].join(', ');
  },
  alertWorse: (severity: string) => `This alert has just become ${severity}: read it again`,
  acknowledgedBy: (by: string) => `acknowledged by ${by}`,
  acknowledgedAlerts: (count: number) => `${count} acknowledged: everybody who watches sees them as seen.`,
  acknowledgeAll: (count: number) => `Acknowledge all ${count}`,
  swarmChanged: 'Not acknowledged: these alerts have just changed. Look again, and press again.',
  aSwarm: 'Swarm',
  alsoOver: (count: number) => `Ended too: ${count} more`,
  alertCounts: (open: number, acknowledged: number, over: number) =>
    [`${open}`, ...(acknowledged === 0 ? [] : [`${acknowledged} seen`]), ...(over === 0 ? [] : [`${over} ended`])].join(
      ' · ',
    ),
  alertFlood: (count: number) => `${count} new alerts in the last 10 min`,
  acknowledgedAlert: 'Acknowledged: everybody who watches sees it as seen.',
  firstIsNew: 'Not acknowledged: this alert has just become the first. Read it, and press A again.',
  firstIsShown: 'Not acknowledged: the first alert was not in view. Read it, and press A again.',
  noneToAcknowledge: 'No alert in the list waits to be acknowledged.',
  acknowledgedText: ({ state, text }: Pick<Alert, 'state' | 'text'>) =>
    state === 'cleared' ? `Acknowledged, and already over: ${text}` : `Acknowledged: ${text}`,
  threatAbove: (number: string, { level, score }: Threat) =>
    `Threat level of ${number}: ${level}, score ${Math.round(score)}`,
  vehicleNow: ({ landed, velocity }: FleetRow) => {
    if (landed === 'on_ground') return 'is on the ground now.';
    if (velocity === null) return 'is in the air, at an unknown speed.';
    return isMoving({ landed, velocity })
      ? `flies at ${Math.round(velocity.speed_mps)} m/s now.`
      : 'stands still in the air now.';
  },
  alertMoved: 'Not acknowledged: the list moved under the pointer. Look again, and press again.',
  raised: (s: number | null) => (s === null ? '' : `raised ${durationText(s)} ago`),
  movesAway: 'The aircraft moves away from it.',
  becameWorse: (s: number | null) => (s === null ? '' : `worse ${durationText(s)} ago`),
  /** Sentence about a vehicle that is close to a track because a person approved it. */
  asApproved: (standoffM: number | null) =>
    `As approved${standoffM === null ? '' : `, keeping ${Math.round(standoffM)} m away`}:`,
  asOf: (at: string) => `as of ${clockText(at)}`,
  over: (at: string) => `ended at ${at.slice(11, 16)}Z`,
  settled: 'no longer in the list',
  lastReport: 'Last report:',
};
