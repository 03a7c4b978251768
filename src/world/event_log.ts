import { randomUUID } from 'node:crypto';
import type { Log } from '../host/journal.ts';
import { type LogEvent, type Severity, unattended } from '../model/event.ts';
import type { LogKind } from '../model/log_kind.ts';
import { formatTime } from '../model/time.ts';
import type { LogCounter } from '../store/log_counter.ts';

type Change = Pick<LogEvent, 'before' | 'after'> & Partial<Pick<LogEvent, 'policy_version'>>;
const none: Change = { before: null, after: null };

/** Creates and numbers log events that no person caused. `sink` stores and publishes them. */
export class EventLog {
  readonly #counter: LogCounter;
  readonly #utcMs: () => number;
  readonly #provenance: LogEvent['provenance'];
  readonly #sink: (event: LogEvent) => void;

  constructor(
    counter: LogCounter,
    utcMs: () => number,
    provenance: LogEvent['provenance'],
    sink: (event: LogEvent) => void,
  ) {
    this.#counter = counter;
    this.#utcMs = utcMs;
    this.#provenance = provenance;
    this.#sink = sink;
  }

  write(
    kind: LogKind,
    severity: Severity,
    text: string,
    subject: LogEvent['subject'] = null,
    change: Change = none,
  ): void {
    const [id, seq, at] = [randomUUID(), this.#counter.next(), formatTime(this.#utcMs())];
    this.#sink({ id, seq, at, kind, severity, subject, text, ...unattended, provenance: this.#provenance, ...change });
  }
}

/** Writes an event to the journal of the process: a `notice` at level info, every other severity at level warn. */
export function logLine(log: Log, { kind, severity, subject, text }: LogEvent): void {
  const line = { kind, subject: subject?.label };
  if (severity === 'notice') log.info(line, text);
  else log.warn(line, text);
}
