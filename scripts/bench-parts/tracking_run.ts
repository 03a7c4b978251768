import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { inFolder } from './daemon.ts';
import { folderOf, type TrackingScenario } from './tracking_scenarios.ts';
import { scoreTracks, type TrackingScore } from './tracking_score.ts';

const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

export type TrackerOptions = {
  /** A policy for the tracker; its own settings where absent. */
  policy?: string | undefined;
  /** A folder of tracks as NAME.jsonl that are scored instead of ours. */
  tracks?: string | undefined;
};

/** Runs the tracker over a scenario and scores what it says. */
export function trackAndScore(scenario: TrackingScenario, options: TrackerOptions): Promise<TrackingScore> {
  return inFolder(async (scratch) => {
    const folder = await folderOf(scenario, scratch);
    const answer = join(scratch, 'score.json');
    if (options.tracks !== undefined)
      return scoreTracks(folder, join(options.tracks, `${scenario.name}.jsonl`), answer);
    const out = join(scratch, 'tracks.jsonl');
    const said = await track(folder, out, options.policy);
    const usPerReport = Number(/^per report\s+([\d.]+) µs$/m.exec(said)?.[1] ?? Number.NaN);
    return { ...(await scoreTracks(folder, out, answer)), usPerReport };
  });
}

/** Runs the command on a scenario's packed detections; resolves with what it said. */
async function track(folder: string, out: string, policy: string | undefined): Promise<string> {
  const more = policy === undefined ? [] : ['--policy', policy];
  const args = [main, 'track', join(folder, 'site.json'), '-', '--out', out, ...more];
  const tracker = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  const unpacked = spawn('zstd', ['-dc', join(folder, 'detections.jsonl.zst')], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const said = { out: '', err: '' };
  tracker.stdout.on('data', (text) => {
    said.out += text;
  });
  tracker.stderr.on('data', (text) => {
    said.err += text;
  });
  const ended = new Promise<number | null>((resolve) => tracker.once('close', resolve));
  // A tracker that gives up closes its input; its own words say why.
  await pipeline(unpacked.stdout, tracker.stdin).catch(() => {});
  const code = await ended;
  if (code !== 0) throw new Error(said.err.trim().split('\n').at(-1) || `the tracker ended with ${code}`);
  return said.out;
}
