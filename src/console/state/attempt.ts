import { type Signal, signal } from '@preact/signals';

/** Sentence of the last refusal, shown until it is dismissed or another action succeeds. */
export const refusal: Signal<string | null> = signal(null);

/** Runs a write. A refusal is shown with the daemon's sentence, and the result is null. */
export async function attempt<T>(act: () => Promise<T>): Promise<T | null> {
  try {
    const done = await act();
    refusal.value = null;
    return done;
  } catch (thrown) {
    refusal.value = thrown instanceof Error ? thrown.message : String(thrown);
    return null;
  }
}
