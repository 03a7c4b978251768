import type { OutletMessage } from '../model/outlet_view.ts';
import { parts } from './parts.ts';

/** Longest time for the last messages of an outlet, ms. A person waits while the outlet is removed. */
const MOST_MS = 3_000;

/** Sends the last messages of an outlet, as far as the peer takes them within `MOST_MS`. */
export async function sendFarewell(
  messages: readonly OutletMessage[],
  send: (part: readonly Uint8Array[]) => Promise<void>,
): Promise<void> {
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, MOST_MS);
  });
  const sendAll = async (): Promise<void> => {
    for (const part of parts(messages)) if (!isOver) await send(part);
  };
  // The peer may be gone or refuse; the outlet ends nevertheless.
  await Promise.race([limit, sendAll().catch(() => {})]);
  isOver = true;
  clearTimeout(timer);
}
