import type { Io } from './io.ts';

/** Returns true if a person can be asked: standard error and input are terminals (or a test gives the input). */
export function canAsk({ isTty, input }: Io): boolean {
  return isTty && (input !== undefined || process.stdin.isTTY === true);
}

/** Asks a person a yes-no question. Returns true for yes; the end of the input counts as no. */
export async function confirm(io: Io, question: string): Promise<boolean> {
  io.err(`${question} [y/N]`);
  let said = '';
  for await (const bytes of io.input ?? process.stdin) {
    said += bytes.toString();
    if (said.includes('\n')) break;
  }
  return /^\s*y(es)?\s*$/i.test(said.split('\n')[0] ?? '');
}
