import { execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { mainScript } from '../daemon/program.ts';

const run = promisify(execFile);
const big = { maxBuffer: 1e9 };
const folder = join(process.cwd(), '../shared/tracking');

/** What the scorer that is none of ours says of tracks. */
export type OutsideScore = {
  gospa: number;
  ospa: number;
  missed_per_scan: number;
  false_per_scan: number;
  rmse3: number | null;
  siap: { C: number };
  mot: { idsw: number };
  init: { median: number | null };
};

export type TruthLine = {
  t: number;
  id: string;
  lat: number;
  lon: number;
  alt: number;
  e: number;
  n: number;
  u: number;
};
export type ShownLine = { t: number; id: number; e: number; n: number; u: number; del?: boolean };

/** Why it cannot be asked here; null where it can. */
export async function whatScoringLacks(): Promise<string | null> {
  if (!existsSync(folder)) return 'the tracking scenarios and their scorer are not here';
  for (const [command, ...args] of [
    ['zstd', '--version'],
    ['python3', '-c', 'import numpy, scipy'],
  ]) {
    const works = await run(command ?? '', args).then(
      () => true,
      () => false,
    );
    if (!works) return `${command} is missing, or lacks numpy and scipy`;
  }
  return null;
}

export const scenarioFolder = (name: string): string => join(folder, 'scenarios', name);

export async function scoredOutside(name: string, tracksFile: string, answerFile: string): Promise<OutsideScore> {
  const args = ['-B', join(folder, 'score.py'), scenarioFolder(name), tracksFile, '--json', answerFile];
  await run('python3', args, big);
  return JSON.parse(readFileSync(answerFile, 'utf8'));
}

/** The core's tracks over a scenario, written to a file. */
export async function trackedByCore(name: string, out: string): Promise<void> {
  const site = join(scenarioFolder(name), 'site.json');
  const unpacked = spawn('zstd', ['-dc', join(scenarioFolder(name), 'detections.jsonl.zst')]);
  const tracker = spawn(process.execPath, [mainScript, 'track', site, '-', '--out', out], {
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  unpacked.stdout.pipe(tracker.stdin);
  const code = await new Promise((resolve) => tracker.once('close', resolve));
  if (code !== 0) throw new Error(`the tracker ended with ${code}`);
}

/** The truth by twice its seconds, the times at which the scorer looks, and where the axes lie. */
export async function truthOf(name: string) {
  const { stdout } = await run('zstd', ['-dc', join(scenarioFolder(name), 'truth.jsonl.zst')], big);
  const meta = JSON.parse(readFileSync(join(scenarioFolder(name), 'meta.json'), 'utf8')) as {
    origin: { lat: number; lon: number; alt_hae: number };
    eval: { t0: number; t1: number; dt: number };
  };
  const byHalfSecond = new Map<number, TruthLine[]>();
  for (const line of linesOf<TruthLine>(stdout)) add(byHalfSecond, Math.round(line.t * 2), line);
  const times: number[] = [];
  for (let i = 0; meta.eval.t0 + i * meta.eval.dt <= meta.eval.t1 + 1e-6; i++)
    times.push(meta.eval.t0 + i * meta.eval.dt);
  return { origin: meta.origin, times, at: (tS: number): TruthLine[] => byHalfSecond.get(Math.round(tS * 2)) ?? [] };
}

export async function detectionsOf(name: string): Promise<string[]> {
  const { stdout } = await run('zstd', ['-dc', join(scenarioFolder(name), 'detections.jsonl.zst')], big);
  return stdout.split('\n').filter((line) => line !== '');
}

/** What was shown by twice its seconds: the core tells its picture each half second, so that nothing need be moved on. */
export function shownIn(file: string): (tS: number) => ShownLine[] {
  const byHalfSecond = new Map<number, ShownLine[]>();
  for (const line of linesOf<ShownLine>(readFileSync(file, 'utf8')))
    if (!line.del) add(byHalfSecond, Math.round(line.t * 2), line);
  return (tS) => byHalfSecond.get(Math.round(tS * 2)) ?? [];
}

function linesOf<Line>(text: string): Line[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
}

function add<Line>(lines: Map<number, Line[]>, key: number, line: Line): void {
  const there = lines.get(key);
  if (there) there.push(line);
  else lines.set(key, [line]);
}
