import type { LinkStatus } from '../edge/link/link.ts';
import type { LogEvent, Severity } from '../model/event.ts';
import type { LogVerb } from '../model/log_kind.ts';

type Condition = 'open' | 'down' | 'refused';

/** Writes a row about an outlet to the log of the box. */
export type NoteOutlet = (
  verb: LogVerb<'outlet'>,
  severity: Severity,
  text: string,
  subject: LogEvent['subject'],
) => void;

/** Outlet that a row is about. */
type Named = { id: string; name: string };

/**
 * Writes log rows about one outlet: it opened, is down, or was refused. A row is written only when this condition
 * changes, so repeated attempts to open write no rows.
 */
export class ConditionLog {
  readonly #note: NoteOutlet;
  #noted: Condition | null = null;
  #alertsLost = 0;

  constructor(note: NoteOutlet) {
    this.#note = note;
  }

  /** Records that the outlet was stopped. The next condition is then logged in any case. */
  stopped(): void {
    this.#noted = null;
  }

  /** Counts alerts that were lost. The next row about the condition states their number. */
  lost(alerts: number): void {
    this.#alertsLost += alerts;
  }

  /** Writes a log row for each answer of the peer. */
  answered(texts: readonly string[], { id, name }: Named): void {
    for (const text of texts)
      this.#note('answer', 'notice', `the outlet ${name}: ${text}`, { type: 'outlet', id, label: name });
  }

  /** Records that an outlet ended, and its peer did not take the messages that delete `messages` retained ones. */
  kept(messages: number, { id, name }: Named): void {
    const what = messages === 1 ? '1 retained message' : `${messages} retained messages`;
    const text = `the outlet ${name} ended, but its peer was not reached: the peer may keep ${what} of it`;
    this.#note('kept', 'warning', text, { type: 'outlet', id, label: name });
  }

  take({ state, isRefused, lastError }: LinkStatus, { id, name }: Named): void {
    const now = conditionOf(state, isRefused);
    if (now === null || this.#noted === now) return;
    this.#noted = now;
    const subject = { type: 'outlet', id, label: name };
    const lost = this.#alertsLost;
    this.#alertsLost = 0;
    const cause = now === 'open' ? '' : `: ${lastError ?? state}`;
    const isWarning = lost > 0 || now === 'refused';
    this.#note(now, isWarning ? 'warning' : 'notice', `the outlet ${name} is ${now}${cause}${unsent(lost)}`, subject);
  }
}

function unsent(alerts: number): string {
  if (alerts === 0) return '';
  return `; ${alerts === 1 ? '1 alert was' : `${alerts} alerts were`} not sent`;
}

function conditionOf(state: LinkStatus['state'], isRefused: boolean): Condition | null {
  if (state === 'open') return 'open';
  if (state !== 'backoff' && state !== 'failed') return null;
  return isRefused ? 'refused' : 'down';
}
