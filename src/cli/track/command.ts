import { createReadStream } from 'node:fs';
import { invalidInput, notFound, sentenceOf } from '../../model/fault.ts';
import { readArguments, type Values, wrongUse } from '../arguments.ts';
import { exits, type Io } from '../io.ts';
import { Progress } from '../progress.ts';
import { captureLines } from '../replay/capture_lines.ts';
import type { CoreMaker } from './core_maker.ts';
import { type Figures, figuresText, progressText } from './figures.ts';
import { defaultPolicy, type Policy, readPolicy } from './policy.ts';
import { runScenario } from './run.ts';
import { readSite } from './site.ts';
import { TrackFile } from './track_file.ts';

const help = `Usage: dunlin track SITE.json [DETECTIONS.jsonl|-] --out FILE [--policy FILE]

Runs only the tracker over a scenario, as fast as possible. Input: the detections of the sensors of the site. Output: the
tracks that a user would have seen every half second, as JSON lines in the site's axes. Without DETECTIONS, or with -, the
detections are read from standard input.

  --out FILE     the file for the tracks
  --policy FILE  YAML with a mapping 'tracking' of settings of the tracker, by name. Its key show_s is the
                 time for which a track is shown after its last observation, s (default 13)
  --help         this text

Exit codes: 0 done, 1 failed, 2 wrong use, 78 bad policy.`;

type TrackFlags = {
  site: string;
  /** Path of the detections; null for standard input. */
  detections: string | null;
  out: string;
  policy: string | null;
};

const options = { out: { type: 'string' }, policy: { type: 'string' } } as const;

function read([site, detections = '-', ...more]: readonly string[], given: Values<typeof options>): TrackFlags {
  const { out, policy = null } = given;
  if (site === undefined) throw wrongUse('name the file of the site, SITE.json');
  if (more.length > 0) throw wrongUse(`name only one site and one file of detections: '${more[0]}' is too many`);
  if (out === undefined) throw wrongUse('name the file for the tracks with --out');
  return { site, detections: detections === '-' ? null : detections, out, policy };
}

/** Runs `dunlin track`. Resolves with the exit code, and never rejects. */
export async function trackCommand(argv: readonly string[], io: Io, maker: CoreMaker): Promise<number> {
  const flags = readArguments(argv, { name: 'track', help, options, read }, io);
  if (typeof flags === 'number') return flags;
  const policy = settled(flags.policy, maker);
  if (Array.isArray(policy)) {
    for (const problem of policy) io.err(problem);
    return exits.badConfiguration;
  }
  try {
    io.out(figuresText(await track(flags, policy, maker, io)));
    return exits.done;
  } catch (thrown) {
    io.err(`dunlin track: ${sentenceOf(thrown)}`);
    return exits.failed;
  }
}

/** Returns the policy, or the list of its problems. */
function settled(file: string | null, maker: CoreMaker): Policy | string[] {
  if (file === null) return defaultPolicy;
  const found = readPolicy(file, maker.settingNames);
  return found.ok ? found.policy : found.problems;
}

async function track(flags: TrackFlags, policy: Policy, maker: CoreMaker, io: Io): Promise<Figures> {
  const site = await readSite(flags.site);
  const { lat, lon, alt_hae } = site.origin;
  const core = maker.make(policy.settings, { latDeg: lat, lonDeg: lon, altHaeM: alt_hae });
  const progress = new Progress(io);
  const from = flags.detections ?? 'standard input';
  const file = await TrackFile.open(flags.out);
  try {
    const figures = await runScenario({
      site,
      core,
      showS: policy.showS,
      lines: (problem) => detectionLines(flags.detections, io.input ?? process.stdin, problem),
      write: (lines) => file.write(lines),
      onProblem: (sentence) => progress.problem(`${from}: ${sentence}`),
      onProgress: (figures) => progress.show(() => progressText(figures, site.duration_s ?? null)),
    });
    if (figures.reports + figures.scans === 0) throw invalidInput(`${from} contains no valid detection`);
    await file.finish();
    return figures;
  } catch (thrown) {
    await file.discard();
    throw thrown;
  } finally {
    progress.end();
  }
}

/** Reads the lines of a file of detections in pieces; from `input` if `path` is null. */
async function* detectionLines(
  path: string | null,
  input: AsyncIterable<Buffer>,
  problem: (sentence: string) => void,
): AsyncGenerator<{ text: string; number: number }> {
  const chunks = path === null ? input : createReadStream(path, { highWaterMark: 65_536 });
  try {
    for await (const { bytes, number } of captureLines(chunks, problem)) yield { text: bytes.toString('utf8'), number };
  } catch (thrown) {
    if (!isSystemError(thrown)) throw thrown;
    throw notFound(`cannot read ${path ?? 'standard input'}: ${sentenceOf(thrown)}`, { cause: thrown });
  }
}

function isSystemError(thrown: unknown): boolean {
  return thrown instanceof Error && 'syscall' in thrown;
}
