import { Fault, sentenceOf } from '../../model/fault.ts';
import { exits, type Io } from '../io.ts';
import { Progress } from '../progress.ts';
import type { CoreMaker } from './core_port.ts';
import { detectionLines } from './detection_file.ts';
import { type Figures, figuresText, progressText } from './figures.ts';
import { parseTrackFlags, type TrackFlags, trackHelp } from './flags.ts';
import { defaultPolicy, type Policy, readPolicy } from './policy.ts';
import { runScenario } from './run.ts';
import { readSite } from './site.ts';
import { TrackFile } from './track_file.ts';

export type TrackIo = Io & {
  /** Detections where no file is named; standard input where absent. */
  input?: AsyncIterable<Buffer>;
};

/** `dunlin track`: answers the exit code and never rejects. */
export async function trackCommand(argv: readonly string[], io: TrackIo, maker: CoreMaker): Promise<number> {
  let flags: TrackFlags | 'help';
  try {
    flags = parseTrackFlags(argv);
  } catch (thrown) {
    io.err(`dunlin track: ${sentenceOf(thrown)}`);
    io.err('dunlin track --help says how it is used');
    return exits.wrongUse;
  }
  if (flags === 'help') {
    io.out(trackHelp);
    return exits.done;
  }
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

/** What the policy says, or what is wrong with it. */
function settled(file: string | null, maker: CoreMaker): Policy | string[] {
  if (file === null) return defaultPolicy;
  const found = readPolicy(file, maker.settingNames);
  return found.ok ? found.policy : found.problems;
}

async function track(flags: TrackFlags, policy: Policy, maker: CoreMaker, io: TrackIo): Promise<Figures> {
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
      onProgress: (figures) => progress.tell(() => progressText(figures, site.duration_s ?? null)),
    });
    if (figures.reports + figures.scans === 0) throw new Fault('invalid_input', `${from} holds no good line`);
    await file.finish();
    return figures;
  } catch (thrown) {
    await file.discard();
    throw thrown;
  } finally {
    progress.end();
  }
}
