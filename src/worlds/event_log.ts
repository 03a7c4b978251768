import { randomUUID } from 'node:crypto';
import type { LogEvent, Severity } from '../model/event.ts';
import { formatTime } from '../model/time.ts';

export type EventSink = (event: LogEvent) => void;

/** Numbers what happens, for the log and for those who watch. */
export class EventLog {
  #seq: number;
  readonly #utcMs: () => number;
  readonly #sinks: EventSink[];

  /** `lastSeq` is the highest number given before. */
  constructor(lastSeq: number, utcMs: () => number, ...sinks: EventSink[]) {
    this.#seq = lastSeq;
    this.#utcMs = utcMs;
    this.#sinks = sinks;
  }

  write(kind: string, severity: Severity, text: string, subject: LogEvent['subject'] = null): void {
    const event = { id: randomUUID(), seq: ++this.#seq, at: formatTime(this.#utcMs()), kind, severity, subject, text };
    for (const sink of this.#sinks) sink(event);
  }
}
