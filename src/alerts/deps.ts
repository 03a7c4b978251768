import type { Alert, AlertKind, ClearedReason } from '../model/alert.ts';
import type { Severity } from '../model/event.ts';
import type { AlertStore } from '../store/alerts.ts';

/** Settings of a workspace's alerts from its decision configuration: cool-down in s, limit of alerts in memory. */
export type AlertPolicy = { cooldownS: number; maxActive: number };

export type AlertLogDeps = {
  store: AlertStore;
  newId(): string;
  /** Formats a world time as RFC 3339. */
  timeText(worldMs: number): string;
  /** Publishes an alert once for each of the kinds. */
  publish(alert: Alert, kinds: readonly AlertKind[]): void;
  log(kind: string, severity: Severity, text: string, subject: Alert['subject']): void;
  /** Reports a failed write to the disk. */
  trouble(sentence: string): void;
  /** Returns the state of the cause of an alert that no rule has reported since the start. */
  causeOf(alert: Alert): Cause;
  /** Returns the reason for clearing an alert that no rule reports any longer, although its cause is `seen`. */
  endOf(alert: Alert): ClearedReason;
};

/**
 * State of an alert's cause. `gone`: the tracks no longer exist. `over`: the sensor sends again or is off. `unseen`:
 * the state is unknown. `seen`: the rules evaluate the subject, and report a continuing event within a minute.
 */
export type Cause = 'gone' | 'over' | 'unseen' | 'seen';
