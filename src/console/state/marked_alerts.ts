import type { Alert } from '../../model/alert.ts';

/**
 * Worst severity of the continuing alerts about a track, which its symbol shows; `open` is the worst of those that wait
 * for a person, null where all are acknowledged.
 */
export type MarkedAlert = { severity: Alert['severity']; open: Alert['severity'] | null };

const severities = ['info', 'notice', 'warning', 'critical'] as const;

/** Marks of all tracks with a continuing alert, by track id. */
export function markedAlerts(alerts: readonly Alert[]): Map<string, MarkedAlert> {
  const marks = new Map<string, MarkedAlert>();
  const continuing = alerts.filter(({ state }) => state !== 'cleared');
  for (const severity of severities)
    for (const { track_ids, acknowledged } of continuing.filter((one) => one.severity === severity))
      for (const id of track_ids) {
        const open = acknowledged === null ? severity : (marks.get(id)?.open ?? null);
        marks.set(id, { severity, open });
      }
  return marks;
}
