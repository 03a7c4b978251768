import type { OutletMessage } from '../model/outlet_view.ts';
import { parts } from './parts.ts';

/** Longest time for the last messages of an outlet, ms. A person waits while the outlet is removed. */
const MOST_MS = 3_000;

/**
 * Sends the last messages of an outlet, as far as the peer takes them within `MOST_MS`. Returns false if it did not take
 * all of them.
 */
export async function sendFarewell(
  messages: readonly OutletMessage[],
  send: (part: readonly Uint8Array[]) => Promise<void>,
): Promise<boolean> {
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, MOST_MS, false);
  });
  const sendAll = async (): Promise<true> => {
    for (const part of parts(messages)) if (!isOver) await send(part);
    return true;
  };
  // The peer may be gone or refuse; the outlet ends nevertheless.
  const areSent = await Promise.race([limit, sendAll().catch(() => false)]);
  isOver = true;
  clearTimeout(timer);
  return areSent;
}
