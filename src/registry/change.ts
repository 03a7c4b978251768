import { sameJson } from '../model/same_json.ts';
import type { Deed, Ledger } from '../store/ledger.ts';

/** Registers a step that runs after the change is on the disk. */
export type After = (then: () => void) => void;

/**
 * Runs a change after which the state in memory must match the disk. The steps that `work` passes to `after` run in
 * order after the commit; they do not run if the disk refused the change. `what` begins the sentence of a failure.
 */
export function committed<T>(
  ledger: Ledger,
  what: string,
  work: (after: After) => { result: T; deed: Deed | null },
): T {
  const then: (() => void)[] = [];
  const result = ledger.change(what, () => {
    // A vital change is repeated on a full disk.
    then.length = 0;
    return work((step) => then.push(step));
  });
  for (const step of then) step();
  return result;
}

/**
 * Returns the fields in which two documents differ, with their values before and after. Used for the audit row of a
 * change.
 */
export function changedFields(before: object, after: object): { before: object; after: object } {
  const was = before as Record<string, unknown>;
  const is = after as Record<string, unknown>;
  const names = Object.keys({ ...was, ...is }).filter((name) => !sameJson(was[name], is[name]));
  const of = (from: Record<string, unknown>): object => Object.fromEntries(names.map((name) => [name, from[name]]));
  return { before: of(was), after: of(is) };
}
