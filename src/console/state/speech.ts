import { type Signal, signal } from '@preact/signals';
import type { Alert } from '../../model/alert.ts';

export type Urgency = 'assertive' | 'polite';
export type Spoken = { sentence: string; more: number; urgency: Urgency };

/** Interval between two sentences, ms: a screen reader needs the time to say one. */
export const SPEECH_EVERY_MS = 3_000;

/**
 * Sentences for a screen reader: one in each interval of `SPEECH_EVERY_MS`, the most urgent and oldest first. The other
 * sentences of the interval are dropped and counted, because the lists on the screen have their content.
 */
export class Speech {
  #waiting: { sentence: string; urgency: Urgency }[] = [];
  #lastMs = Number.NEGATIVE_INFINITY;

  say(sentence: string, urgency: Urgency): void {
    this.#waiting.push({ sentence, urgency });
  }

  /** The next sentence; null while the last one is read, or where none waits. */
  next(nowMs: number): Spoken | null {
    const chosen = this.#waiting.find(({ urgency }) => urgency === 'assertive') ?? this.#waiting[0];
    if (chosen === undefined || nowMs - this.#lastMs < SPEECH_EVERY_MS) return null;
    const more = this.#waiting.length - 1;
    this.#waiting = [];
    this.#lastMs = nowMs;
    return { ...chosen, more };
  }
}

/** Unacknowledged `warning` and `critical` alerts to say. Each is said once, and again when it becomes worse. */
export class SpokenAlerts {
  #said = new Set<string>();

  take(alerts: readonly Alert[]): Alert[] {
    const loud = alerts.filter(
      ({ severity, state, acknowledged }) =>
        (severity === 'critical' || severity === 'warning') && state !== 'cleared' && acknowledged === null,
    );
    const fresh = loud.filter((alert) => !this.#said.has(keyOf(alert)));
    this.#said = new Set(loud.map(keyOf));
    return fresh;
  }
}

const keyOf = ({ id, escalated_at }: Alert): string => `${id} ${escalated_at ?? ''}`;

export const speech = new Speech();
/** The sentence that a screen reader has now; null before the first. */
export const spoken: Signal<Spoken | null> = signal(null);

/** Passes the next sentence on, where one is due. Called each second, and after changes of alerts. */
export function speak(nowMs: number): void {
  const next = speech.next(nowMs);
  if (next !== null) spoken.value = next;
}
