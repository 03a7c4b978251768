import { readFileSync } from 'node:fs';

/** Test files that run in one process, one after the other, and the time that it has. */
export type Batch = {
  files: readonly string[];
  timeoutS: number;
  /** A daemon's tests wait for clocks and sockets two thirds of their time; the others compute all of it. */
  waits: boolean;
};

const DEFAULT_TIMEOUT_S = 120;
/** Files on a machine that is busy with the others. */
const BATCH_TIMEOUT_S = 600;

type Kind = { folders: ReadonlySet<string>; filesABatch: number; waits: boolean };

/** A file spends about 1 CPU-s on the modules that it loads: neighbours share a process. */
const kinds: readonly Kind[] = [
  {
    folders: new Set([
      ...['access', 'alerts', 'app', 'command', 'core', 'edge', 'engagement', 'fleet', 'geo', 'host', 'http', 'model'],
      ...['native', 'outlet', 'picture', 'recording', 'registry', 'sim', 'store', 'structure', 'world'],
    ]),
    filesABatch: 24,
    waits: false,
  },
  { folders: new Set(['api', 'cli', 'console', 'field', 'flow', 'maps']), filesABatch: 8, waits: true },
];

/** What changes the process, which the other files of a batch would meet too. */
const changesProcess =
  /process\.(?:chdir|on|once|exit)\(|process\.env(?:\.\w+|\[\w+\])? =[^=]|delete process\.env|\(process\.env,|^t\.jobs/m;

/** Batches of compiled test files: neighbours share a process, since they load the same modules. */
export function batchesOf(files: readonly string[]): Batch[] {
  const [alone, together] = [[] as string[], new Map<Kind, string[]>()];
  for (const file of files.toSorted()) {
    const kind = kindOf(file);
    if (kind === undefined) alone.push(file);
    else together.set(kind, [...(together.get(kind) ?? []), file]);
  }
  const batches = alone.map((file): Batch => ({ files: [file], timeoutS: declaredS(file), waits: true }));
  for (const [{ filesABatch, waits }, neighbours] of together)
    for (let at = 0; at < neighbours.length; at += filesABatch)
      batches.push(batchOf(neighbours.slice(at, at + filesABatch), waits));
  return batches;
}

/** Neighbours have the time that each of them declares, one after the other, and `BATCH_TIMEOUT_S` at least. */
function batchOf(files: readonly string[], waits: boolean): Batch {
  const declared = files.map(declaredS).filter((seconds) => seconds > DEFAULT_TIMEOUT_S);
  return { files, timeoutS: declared.reduce((sum, seconds) => sum + seconds, BATCH_TIMEOUT_S), waits };
}

function kindOf(file: string): Kind | undefined {
  const [, , folder = ''] = file.split('/');
  return changesProcess.test(readFileSync(file, 'utf8')) ? undefined : kinds.find((one) => one.folders.has(folder));
}

/** Time that a file takes for itself, s (`takeTime` of test/support/basics/patience.ts); the longest are started first. */
function declaredS(file: string): number {
  const declared = /takeTime\(t, ([\d_]+)\)/.exec(readFileSync(file, 'utf8'))?.[1];
  return declared === undefined ? DEFAULT_TIMEOUT_S : Number(declared.replaceAll('_', ''));
}

/** True of a file that runs with `--full` or by its name (`onlyInFull` of test/support/basics/patience.ts). */
export function isOnlyInFull(file: string): boolean {
  return /^onlyInFull\(t\)/m.test(readFileSync(file, 'utf8'));
}
