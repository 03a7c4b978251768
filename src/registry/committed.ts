import type { Deed, Ledger } from '../store/ledger.ts';

/** Takes what is to be done once the change stands on the disk. */
export type After = (then: () => void) => void;

/**
 * A change whose memory follows the disk: what `work` hands to `after` is done once the transaction stands, in the order
 * in which it was handed over, and never where the disk refused it. `what` begins the sentence of a failure.
 */
export function committed<T>(
  ledger: Ledger,
  what: string,
  work: (after: After) => { result: T; deed: Deed | null },
): T {
  const then: (() => void)[] = [];
  const result = ledger.change(what, () => work((step) => then.push(step)));
  for (const step of then) step();
  return result;
}
