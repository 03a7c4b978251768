import type { LinkStatus } from '../edge/link/link.ts';
import { conflict, sentenceOf } from '../model/fault.ts';

/**
 * Sends the test item of an outlet by `writes`, one for each peer. Returns the number of receivers; throws a `conflict`
 * Fault without one, or if the format has no test item now (`hasItem`).
 */
export async function sendTest(
  name: string,
  hasItem: boolean,
  { state, lastError }: Pick<LinkStatus, 'state' | 'lastError'>,
  writes: readonly (() => Promise<void>)[],
): Promise<number> {
  if (!hasItem)
    throw conflict(
      'the position of this box is unknown, and the test item needs one: connect a GNSS receiver (a link with the protocol nmea), or set the placement of its sensor',
    );
  if (state !== 'open') throw conflict(`the outlet ${name} is ${state}: ${lastError ?? 'it is not open'}`);
  const sent = await Promise.allSettled(writes.map((write) => write()));
  const failed = sent.find((one) => one.status === 'rejected');
  const done = sent.filter((one) => one.status === 'fulfilled').length;
  if (done === 0) throw conflict(failed ? sentenceOf(failed.reason) : `no client is connected to the outlet ${name}`);
  return done;
}
