import { Fault, sentenceOf } from '../../model/fault.ts';
import { openCapture } from './capture.ts';
import { parseReplayFlags, type ReplayFlags, replayHelp } from './flags.ts';
import { type Played, playCapture } from './player.ts';
import { realClock } from './real_clock.ts';
import { createReplayReport, type ReplayReport } from './report.ts';
import { openTarget, type Target } from './target.ts';

/** Where the command's words go. */
export type ReplayIo = {
  /** What was asked for, a line a call. */
  out(text: string): void;
  /** What went wrong, a line a call. */
  err(text: string): void;
  /** Whether a person watches: progress is shown only then. */
  isTty: boolean;
  /** Draws on the terminal without a line end; standard error where absent. */
  draw?(text: string): void;
  /** Stops the replay; where absent, SIGINT and SIGTERM do. */
  signal?: AbortSignal;
};

const exits = { done: 0, failed: 1, wrongUse: 2 } as const;

/** `dunlin replay`: answers the exit code and never rejects. */
export async function replayCommand(argv: readonly string[], io: ReplayIo): Promise<number> {
  let flags: ReplayFlags | 'help';
  try {
    flags = parseReplayFlags(argv);
  } catch (thrown) {
    io.err(`dunlin replay: ${sentenceOf(thrown)}`);
    io.err('dunlin replay --help says how it is used');
    return exits.wrongUse;
  }
  if (flags === 'help') {
    io.out(replayHelp);
    return exits.done;
  }
  try {
    io.out(await replay(flags, io));
    return exits.done;
  } catch (thrown) {
    io.err(`dunlin replay: ${sentenceOf(thrown)}`);
    return exits.failed;
  }
}

async function replay(flags: ReplayFlags, io: ReplayIo): Promise<string> {
  const draw = io.draw ?? ((text: string) => void process.stderr.write(text));
  const report = createReplayReport(io.isTty ? draw : null, io.err, realClock.nowMs);
  return withInterrupt(io.signal, async (signal) => {
    const target = await openTarget(flags.to, { baud: flags.baud });
    try {
      const total = await playPasses(flags, target, report, signal);
      return report.summary(total, flags.path, flags.to);
    } catch (thrown) {
      report.clear();
      throw thrown;
    } finally {
      await target.close();
    }
  });
}

/** Plays the file once, or with --loop until the signal; a pass that sends nothing fails, for it would spin. */
async function playPasses(
  flags: ReplayFlags,
  target: Target,
  report: ReplayReport,
  signal: AbortSignal,
): Promise<Played> {
  const total: Played = { frames: 0, bytes: 0, stopped: false };
  do {
    const capture = openCapture(flags.path, { format: flags.format, link: flags.link, onProblem: report.problem });
    const pass = await playCapture(capture, target.send, {
      rate: flags.rate,
      clock: realClock,
      // The form is known only once the file is open.
      untimedHz: () => capture.untimedHz,
      signal,
      onProgress: (played) => report.progress(total.frames + played.frames, capture.progress()),
    });
    total.frames += pass.frames;
    total.bytes += pass.bytes;
    total.stopped = pass.stopped;
    if (pass.frames === 0 && !pass.stopped) throw new Fault('invalid_input', `${flags.path} holds no frame to send`);
  } while (flags.loop && !total.stopped);
  return total;
}

/** Runs `work` with the given signal, or with one that SIGINT and SIGTERM raise; a second one ends the process. */
async function withInterrupt<T>(given: AbortSignal | undefined, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  if (given !== undefined) return work(given);
  const interrupt = new AbortController();
  const onSignal = (): void => interrupt.abort();
  process.once('SIGINT', onSignal);
  process.once('SIGTERM', onSignal);
  try {
    return await work(interrupt.signal);
  } finally {
    process.off('SIGINT', onSignal);
    process.off('SIGTERM', onSignal);
  }
}
