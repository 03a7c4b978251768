import { type Signal, signal } from '@preact/signals';

/** Sentence of the last refusal, shown until it is dismissed or another act succeeds. */
export const refusal: Signal<string | null> = signal(null);

/** Runs a write; its refusal is shown as the daemon's sentence. Returns null where it was refused. */
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
