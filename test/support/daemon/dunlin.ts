import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Test } from 'tap';
import { within } from './daemon.ts';
import { runToEnd } from './program.ts';

const folder = join(process.cwd(), '../shared/samples');

/** A reason for tap's `skip` where the sample captures are not at hand. */
export const samplesMissing: string | false = existsSync(folder) ? false : 'the sample captures are not here';

export const sample = (path: string): string => join(folder, path);

type Outcome = { code: number | null; out: string; err: string };

/** What a command is given beside its arguments: variables of its environment, and its standard input. */
type Given = { env?: Readonly<Record<string, string>>; input?: string };

/** Runs a `dunlin` command to its end, as a person's shell would. */
export function dunlin(t: Test, ...args: string[]): Promise<Outcome> {
  return dunlinWith(t, {}, ...args);
}

/**
 * The same with an environment or input. `serve` is a process of its own; other commands run in that of the test, without the
 * 0.4 s of CPU time that a start takes, and are run as processes by `program.test.ts`.
 */
export async function dunlinWith(t: Test, { env = {}, input = '' }: Given, ...args: string[]): Promise<Outcome> {
  return args[0] === 'serve' ? runToEnd(t, args, { env, input, withinMs: 60_000 }) : here({ env, input }, args);
}

/** Runs `serve` in the process of the test, with arguments that it must refuse before it starts. */
export function refusedServe(...args: string[]): Promise<Outcome> {
  return here({}, ['serve', ...args]);
}

async function here({ env = {}, input = '' }: Given, args: readonly string[]): Promise<Outcome> {
  const { runCommand } = await import('../../../src/cli/commands.ts');
  const said = { out: '', err: '' };
  const io = {
    out: (text: string): void => {
      said.out += `${text}\n`;
    },
    err: (text: string): void => {
      said.err += `${text}\n`;
    },
    isTty: false,
    input: Readable.from([Buffer.from(input)]),
  };
  const code = await within(env, () => runCommand(args, io));
  return { code, ...said };
}
