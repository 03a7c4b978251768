import { Fault, sentenceOf } from '../../model/fault.ts';
import { exits, type Io } from '../io.ts';
import type { CoreMaker, TrackingCore } from './core_port.ts';
import { detectionLines } from './detection_file.ts';
import { type Figures, figuresText } from './figures.ts';
import { parseTrackFlags, type TrackFlags, trackHelp } from './flags.ts';
import { defaultPolicy, type Policy, readPolicy } from './policy.ts';
import { createTrackReport } from './report.ts';
import { runScenario } from './run.ts';
import { readSite } from './site.ts';
import { TrackFile } from './track_file.ts';

export type TrackIo = Io & {
  /** Draws on the terminal without a line end; standard error where absent. */
  draw?(text: string): void;
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
  const set = settled(flags.policy, maker);
  if (Array.isArray(set)) {
    for (const problem of set) io.err(problem);
    return exits.badConfiguration;
  }
  try {
    io.out(figuresText(await track(flags, set, io)));
    return exits.done;
  } catch (thrown) {
    io.err(`dunlin track: ${sentenceOf(thrown)}`);
    return exits.failed;
  }
}

type Settled = { policy: Policy; core: TrackingCore };

/** The core as the policy wants it, or what is wrong with the policy. */
function settled(file: string | null, maker: CoreMaker): Settled | string[] {
  const found = file === null ? { ok: true as const, policy: defaultPolicy } : readPolicy(file, maker.settingNames);
  if (!found.ok) return found.problems;
  try {
    return { policy: found.policy, core: maker.make(found.policy.settings) };
  } catch (thrown) {
    if (thrown instanceof Fault) return [`${file ?? 'dunlin track'}: ${thrown.message}`];
    throw thrown;
  }
}

async function track(flags: TrackFlags, { policy, core }: Settled, io: TrackIo): Promise<Figures> {
  const site = await readSite(flags.site);
  const draw = io.draw ?? ((text: string) => void process.stderr.write(text));
  const report = createTrackReport(io.isTty ? draw : null, io.err, site.duration_s ?? null);
  const from = flags.detections ?? 'standard input';
  const file = await TrackFile.open(flags.out);
  try {
    const figures = await runScenario({
      site,
      core,
      showS: policy.showS,
      lines: (problem) => detectionLines(flags.detections, io.input ?? process.stdin, problem),
      write: (lines) => file.write(lines),
      onProblem: (sentence) => report.problem(`${from}: ${sentence}`),
      onProgress: report.progress,
    });
    if (figures.reports + figures.scans === 0) throw new Fault('invalid_input', `${from} holds no good line`);
    return figures;
  } finally {
    report.clear();
    await file.close();
  }
}
