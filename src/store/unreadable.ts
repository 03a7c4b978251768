import { dirname } from 'node:path';
import { Fault } from '../model/fault.ts';
import { adviceFor } from './recovery_advice.ts';

/** The database of the box is damaged, missing or emptied: the daemon starts without it, in recovery. */
export class UnreadableState extends Fault {
  constructor(sentence: string, cause?: unknown) {
    super('unavailable', sentence, { cause });
  }
}

/** Names the damaged database of a box, why it cannot be read, and the way back. */
export function damagedState(path: string, why: string, cause?: unknown): UnreadableState {
  const what = why.trim().replaceAll(/\s+/g, ' ');
  return new UnreadableState(`The database ${path} is damaged: ${what}. ${adviceFor(dirname(path))}`, cause);
}
