import type { Alert, AlertKind, ClearedReason } from '../model/alert.ts';
import type { Severity } from '../model/event.ts';
import type { AlertStore } from '../store/alerts.ts';

/** Settings of a workspace's alerts, from its decision config. */
export type AlertPolicy = { cooldownS: number; maxActive: number };

export type AlertLogDeps = {
  store: AlertStore;
  newId(): string;
  /** The time of the world as RFC 3339. */
  timeText(worldMs: number): string;
  /** Publishes an alert as each of these kinds. */
  publish(alert: Alert, kinds: readonly AlertKind[]): void;
  log(kind: string, severity: Severity, text: string, subject: Alert['subject']): void;
  /** Reports that the disk refused a write. */
  trouble(sentence: string): void;
  /** Present state of the cause of an alert that no rule has reported since the start. */
  causeOf(alert: Alert): Cause;
  /** Reason why no rule reports an alert any longer although its cause is still seen. */
  endOf(alert: Alert): ClearedReason;
};

/**
 * State of a cause. `gone`: the subject no longer exists. `over`: it exists and is well. `unseen`: its state is
 * unknown. `seen`: the rules see it, and report it within a minute if the event continues.
 */
export type Cause = 'gone' | 'over' | 'unseen' | 'seen';
