import { readFileSync } from 'node:fs';

/** Test files that run in one process, one after the other, and the time that it has. */
export type Batch = { files: readonly string[]; timeoutS: number };

const DEFAULT_TIMEOUT_S = 120;
const FILES_A_BATCH = 10;
/** Ten files on a machine that is busy with the others. */
const BATCH_TIMEOUT_S = 600;

/** Folders whose tests start no daemon. A file of them spends half of its CPU time on the modules that it loads. */
const shared: ReadonlySet<string> = new Set([
  ...['access', 'app', 'command', 'core', 'edge', 'engagement', 'fleet', 'geo', 'http', 'model'],
  ...['picture', 'recording', 'registry', 'sim', 'store', 'world'],
]);

/** What changes the process, or the runner's top test, which the other files of a batch would meet too. */
const changesProcess =
  /takeTime\(t,|process\.(?:env|chdir|on|once|exit)|^t\.(?:before|beforeEach|afterEach|teardown)\(/m;

/** Batches of compiled test files: neighbours share a process, since they load the same modules. */
export function batchesOf(files: readonly string[]): Batch[] {
  const [alone, together]: [string[], string[]] = [[], []];
  for (const file of files) (isAlone(file) ? alone : together).push(file);
  const batches = alone.map((file): Batch => ({ files: [file], timeoutS: declaredS(file) }));
  together.sort();
  for (let at = 0; at < together.length; at += FILES_A_BATCH)
    batches.push({ files: together.slice(at, at + FILES_A_BATCH), timeoutS: BATCH_TIMEOUT_S });
  return batches;
}

function isAlone(file: string): boolean {
  const [, , folder = ''] = file.split('/');
  return !shared.has(folder) || changesProcess.test(readFileSync(file, 'utf8'));
}

/** Time that a file takes for itself, s (`takeTime` of test/support/basics/patience.ts); the longest are started first. */
function declaredS(file: string): number {
  const declared = /takeTime\(t, ([\d_]+)\)/.exec(readFileSync(file, 'utf8'))?.[1];
  return declared === undefined ? DEFAULT_TIMEOUT_S : Number(declared.replaceAll('_', ''));
}
