import type { Alert } from '../../model/alert.ts';
import { type Fold, foldBy } from './fold.ts';

/** An alert in the list with the alerts folded below it: others of its swarm; if it is over, others that are over. */
export type AlertFold = Fold<Alert>;

/** Group of aircraft that an alert concerns: the group itself, or that of its first track. Null where there is none. */
export type GroupOf = (alert: Alert) => string | null;

/**
 * Folds active, unacknowledged alerts of one swarm into one row, at the place of the first, which is the most severe.
 * Unacknowledged alerts that are over form one row too. No active critical alert is folded below another. While the
 * order is `held`, the alerts stay as a person sees them: none is folded that was not folded before.
 */
export function foldAlerts(alerts: readonly Alert[], groupOf: GroupOf, held: readonly AlertFold[] | null): AlertFold[] {
  return foldBy(alerts, held === null ? presentKeys(groupOf) : keysOf(held));
}

/**
 * Key of the fold of each alert by its current state. Null for an alert that stands alone: an acknowledged one, and
 * each critical one but the first of its swarm.
 */
function presentKeys(groupOf: GroupOf): GroupOf {
  const withCritical = new Set<string>();
  return (alert) => {
    if (alert.acknowledged !== null) return null;
    if (alert.state === 'cleared') return 'over';
    const group = groupOf(alert);
    if (group === null || alert.severity !== 'critical') return group;
    if (withCritical.has(group)) return null;
    withCritical.add(group);
    return group;
  };
}

/** Key of each alert in a fold: the id of the fold's first alert. Other alerts have none. */
function keysOf(folds: readonly AlertFold[]): GroupOf {
  const keys = new Map(
    folds.flatMap(({ first, others }) => [first, ...others].map(({ id }) => [id, first.id] as const)),
  );
  return ({ id }) => keys.get(id) ?? null;
}

/** More new alerts than this in ten minutes are a flood (ISA-18.2, IEC 62682): nobody reads each of them in time. */
const MOST_IN_TEN_MINUTES = 10;

/** Number of alerts raised in the last ten minutes if it is a flood; else 0. */
export function floodOf(alerts: readonly Alert[], ageS: (at: string) => number | null): number {
  const raised = alerts.filter(({ raised_at }) => (ageS(raised_at) ?? Number.POSITIVE_INFINITY) <= 600).length;
  return raised > MOST_IN_TEN_MINUTES ? raised : 0;
}

/** Number of alerts of each severity, the most severe first; severities without alerts are left out. */
export function countSeverities(alerts: readonly Alert[]): { severity: Alert['severity']; count: number }[] {
  const severities: readonly Alert['severity'][] = ['critical', 'warning', 'notice', 'info'];
  return severities
    .map((severity) => ({ severity, count: alerts.filter((alert) => alert.severity === severity).length }))
    .filter(({ count }) => count > 0);
}
