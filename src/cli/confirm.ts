import type { Io } from './io.ts';

/** Whether a person can be asked: the command runs at a terminal, with its input from there. */
export function canAsk({ isTty, input }: Io): boolean {
  return isTty && (input !== undefined || process.stdin.isTTY === true);
}

/** Asks a person a question; true for yes. The end of the input is a no. */
export async function confirm(io: Io, question: string): Promise<boolean> {
  io.err(`${question} [y/N]`);
  let said = '';
  for await (const bytes of io.input ?? process.stdin) {
    said += bytes.toString();
    if (said.includes('\n')) break;
  }
  return /^\s*y(es)?\s*$/i.test(said.split('\n')[0] ?? '');
}
