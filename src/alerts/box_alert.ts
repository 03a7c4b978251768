import type { AlertSeverity, Firing } from '../model/firing.ts';
import type { AlertLog } from './alert_log.ts';

/** Labels of the parts of the box about which the service raises alerts without a rule. */
const labels = {
  audit_log: 'audit log',
  state: 'state database',
  history: 'history',
  clock: 'clock of the box',
  core: 'tracker',
  load: 'load of the box',
} as const;
export type BoxPart = keyof typeof labels;

type BoxAlert = { part: BoxPart; text: string; severity?: AlertSeverity };

/** Raises the alert about a part of the box, or updates the alert if it exists. */
export function raiseBoxAlert(alerts: AlertLog, { part, text, severity = 'critical' }: BoxAlert, nowMs: number): void {
  alerts.take([firingOf({ part, text, severity }, 'raised', nowMs)], nowMs);
}

/** Ends the alert about a part of the box. Does nothing if there is no such alert. */
export function endBoxAlert(alerts: AlertLog, part: BoxPart, text: string, nowMs: number): void {
  alerts.take([{ ...firingOf({ part, text, severity: 'warning' }, 'ended', nowMs), because: 'recovered' }], nowMs);
}

function firingOf({ part, text, severity }: Required<BoxAlert>, change: Firing['change'], nowMs: number): Firing {
  return {
    ...{ key: `box:${part}`, ruleId: `box.${part}`, ruleVersion: 1, change, severity },
    subject: { type: 'site', id: part, label: labels[part] },
    ...{ text, trackIds: [], zoneId: null, count: 0, atMs: nowMs },
    does: { alert: true, log: true, notify: true, propose: false },
  };
}
