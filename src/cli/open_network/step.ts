import { Fault, sentenceOf } from '../../model/fault.ts';

/**
 * One part of the opening. `lines` describe it, and `change` does it; null if nothing is to be changed. `left` are
 * commands that the person must run.
 */
export type Step = { title: string; lines: readonly string[]; change: (() => void) | null; left?: readonly string[] };

export function failed(sentence: string): Fault {
  return new Fault('not_configured', sentence);
}

/** Runs a change of files. An error names the file and, if permission is missing, advises sudo. */
export function changing(path: string, change: () => void): void {
  try {
    change();
  } catch (thrown) {
    if (thrown instanceof Fault) throw thrown;
    const code = thrown instanceof Error && 'code' in thrown ? thrown.code : null;
    const remedy = code === 'EACCES' || code === 'EPERM' ? ': run the command with sudo' : '';
    throw failed(`${path} cannot be written: ${sentenceOf(thrown)}${remedy}`);
  }
}
