import type { Clock } from '../host/clock.ts';
import type { Firing } from '../model/firing.ts';
import type { World } from '../world/world.ts';

/** Parts of the box that raise alerts by themselves, with their labels. */
const labels = { audit_log: 'audit log', state: 'state database' } as const;

/** Raises an alert about a part of the box, in the live world of its first workspace. */
export function raiseBoxAlert(
  world: World,
  clock: Clock,
  part: keyof typeof labels,
  text: string,
  severity: 'critical' | 'warning' = 'critical',
): void {
  const subject = { type: 'site', id: part, label: labels[part] } as const;
  const firing: Firing = {
    key: `box:${part}`,
    ruleId: `box.${part}`,
    ruleVersion: 1,
    change: 'raised',
    severity,
    subject,
    text,
    trackIds: [],
    zoneId: null,
    count: 0,
    atMs: clock.nowMs(),
    does: { alert: true, log: true, notify: true, propose: false },
  };
  world.alerts.take([firing], clock.nowMs());
}
