import { Fault, sentenceOf } from '../../model/fault.ts';

/**
 * One step of opening the box to other machines. `lines` describe the step, and `change` carries it out. `change` is
 * null if nothing needs to change, or if the person must run the commands in `left`.
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
