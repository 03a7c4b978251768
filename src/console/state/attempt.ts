import { type Signal, signal } from '@preact/signals';
import { words } from '../words/en.ts';
import { spoken } from '../words/flight.ts';
import { speech, type Urgency } from './speech.ts';

/** Sentence of the last refusal, shown until it is dismissed or another action succeeds. */
export const refusal: Signal<string | null> = signal(null);

/** Sentence of what an action did, where the screen shows it nowhere else. */
export const report: Signal<string | null> = signal(null);
const REPORT_MS = 10_000;
let reportEnds: ReturnType<typeof setTimeout> | undefined;
let isUrgentShown = false;

/**
 * Shows a sentence for ten seconds, and has a screen reader say it. A polite sentence does not replace an urgent one.
 */
export function announce(sentence: string, urgency: Urgency = 'polite'): void {
  speech.say(sentence, urgency);
  if (urgency === 'polite' && isUrgentShown) return;
  isUrgentShown = urgency === 'assertive';
  clearTimeout(reportEnds);
  report.value = sentence;
  reportEnds = setTimeout(() => {
    report.value = null;
    isUrgentShown = false;
  }, REPORT_MS);
}

/** Time after which a request without an answer is told, ms. */
const NO_ANSWER_MS = 2_000;

/**
 * Runs a request of a person. If it fails, its sentence is shown as the refusal, and the result is null. `waiting` is
 * shown while the box does not answer: without it, a person believes that the act was done, or that it was not.
 */
export async function attempt<T>(act: () => Promise<T>, waiting: string = words.noAnswer): Promise<T | null> {
  const late = setTimeout(() => {
    refusal.value = waiting;
  }, NO_ANSWER_MS);
  try {
    const done = await act();
    refusal.value = null;
    return done;
  } catch (thrown) {
    refusal.value = spoken(thrown instanceof Error ? thrown.message : String(thrown));
    return null;
  } finally {
    clearTimeout(late);
  }
}
