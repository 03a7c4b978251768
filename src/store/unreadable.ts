import { Fault } from '../model/fault.ts';

/** The database of the box is damaged, missing or emptied: the daemon starts without it, in recovery. */
export class UnreadableState extends Fault {
  constructor(sentence: string, cause?: unknown) {
    super('unavailable', sentence, { cause });
  }
}
