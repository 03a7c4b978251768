import type { LinkStatus } from '../edge/link/link.ts';
import type { LogEvent, Severity } from '../model/event.ts';
import type { LogVerb } from '../model/log_kind.ts';

type Note = (verb: LogVerb<'outlet'>, severity: Severity, text: string, subject: LogEvent['subject']) => void;

/** Rows of the log about one outlet: it opened, or it is down. Further attempts to open it write none. */
export class ConditionLog {
  readonly #note: Note;
  #noted: 'open' | 'down' | null = null;
  #alertsLost = 0;

  constructor(note: Note) {
    this.#note = note;
  }

  /** Notes that the outlet was stopped: its next state is news. */
  stopped(): void {
    this.#noted = null;
  }

  /** Counts alerts that the next row about a failure names. */
  lost(alerts: number): void {
    this.#alertsLost += alerts;
  }

  take({ state, lastError }: LinkStatus, { id, name }: { id: string; name: string }): void {
    const now = state === 'open' ? 'open' : state === 'backoff' || state === 'failed' ? 'down' : null;
    if (now === null || this.#noted === now) return;
    this.#noted = now;
    const subject = { type: 'outlet', id, label: name };
    const lost = this.#alertsLost;
    this.#alertsLost = 0;
    if (now === 'open') this.#note('open', 'notice', `the outlet ${name} is open`, subject);
    else {
      const unsent = lost === 0 ? '' : `; ${lost} alerts were not sent`;
      const text = `the outlet ${name} is down: ${lastError ?? state}${unsent}`;
      this.#note('down', lost === 0 ? 'notice' : 'warning', text, subject);
    }
  }
}
