import type { Threat } from '../../model/threat.ts';
import { clockText, durationText } from './units.ts';

/** Texts of the list of alerts. */
export const alertWords = {
  alertOrder: 'worst first',
  alertOrderHint: 'By severity, then by the level of the threat, then by age. Acknowledged and ended alerts are last.',
  criticalUnshown: (count: number) => `↑ ${count} new critical ${count === 1 ? 'alert' : 'alerts'}`,
  alertWorse: (severity: string) => `This alert has just become ${severity}: read it again`,
  acknowledgedBy: (by: string) => `acknowledged by ${by}`,
  acknowledgedAlerts: (count: number) => `${count} acknowledged: everybody who watches sees them as seen.`,
  acknowledgeAll: (count: number) => `Acknowledge all ${count}`,
  swarmChanged: 'Not acknowledged: these alerts have just changed. Look again, and press again.',
  alsoOver: (count: number) => `Ended too: ${count} more`,
  openAndOver: (open: number, over: number) => (over === 0 ? `${open}` : `${open} · ${over} ended`),
  alertFlood: (count: number) => `${count} new alerts in the last 10 min`,
  acknowledgedAlert: 'Acknowledged: everybody who watches sees it as seen.',
  acknowledgedText: (text: string) => `Acknowledged: ${text}`,
  threatAbove: (number: string, { level, score }: Threat) =>
    `Threat level of ${number}: ${level}, score ${Math.round(score)}`,
  alertMoved: 'Not acknowledged: the list moved under the pointer. Look again, and press again.',
  raised: (s: number | null) => (s === null ? '' : `raised ${durationText(s)} ago`),
  asOf: (at: string) => `as of ${clockText(at)}`,
  over: (at: string) => `ended at ${at.slice(11, 16)}Z`,
  settled: 'no longer in the list',
  lastReport: 'Last report:',
};
