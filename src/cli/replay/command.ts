import { basename } from 'node:path';
import { Fault, sentenceOf } from '../../model/fault.ts';
import { exits, type Io } from '../io.ts';
import { Progress } from '../progress.ts';
import { openCapture } from './capture.ts';
import { type ReplayFlags, readReplayFlags } from './flags.ts';
import { type Played, playCapture, realClock } from './player.ts';
import { openTarget, type Target } from './target.ts';

export type ReplayIo = Io & {
  /** Stops the replay; where absent, SIGINT and SIGTERM do. */
  signal?: AbortSignal;
};

/** `dunlin replay`: answers the exit code and never rejects. */
export async function replayCommand(argv: readonly string[], io: ReplayIo): Promise<number> {
  const flags = readReplayFlags(argv, io);
  if (typeof flags === 'number') return flags;
  try {
    io.out(await replay(flags, io));
    return exits.done;
  } catch (thrown) {
    io.err(`dunlin replay: ${sentenceOf(thrown)}`);
    return exits.failed;
  }
}

async function replay(flags: ReplayFlags, io: ReplayIo): Promise<string> {
  const progress = new Progress(io);
  const beganMs = realClock.nowMs();
  const elapsedS = (): number => (realClock.nowMs() - beganMs) / 1000;
  return withInterrupt(io.signal, async (signal) => {
    const target = await openTarget(flags.to, { baud: flags.baud });
    try {
      const total = await playPasses(flags, target, { progress, elapsedS }, signal);
      return summaryText(total, { ...flags, elapsedS: elapsedS(), leftOut: progress.problems });
    } finally {
      progress.end();
      await target.close();
    }
  });
}

/** Plays the file once, or with --loop until the signal; a pass that sends nothing fails, for it would spin. */
async function playPasses(
  flags: ReplayFlags,
  target: Target,
  { progress, elapsedS }: { progress: Progress; elapsedS(): number },
  signal: AbortSignal,
): Promise<Played> {
  const total: Played = { frames: 0, bytes: 0, stopped: false };
  do {
    const onProblem = (sentence: string): void => progress.problem(sentence);
    const capture = openCapture(flags.path, { format: flags.format, link: flags.link, onProblem });
    const pass = await playCapture(capture, target.send, {
      rate: flags.rate,
      clock: realClock,
      // The form is known only once the file is open.
      untimedHz: () => capture.untimedHz,
      signal,
      onProgress: (played) =>
        progress.show(() => progressText(total.frames + played.frames, elapsedS(), capture.progress())),
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

/** The line that a person watches: frames sent so far, for how long, and how much of the file is read, 0 to 1. */
function progressText(frames: number, elapsedS: number, fileRead: number): string {
  return `${frames} frames, ${clockText(elapsedS)}, ${Math.floor(fileRead * 100)} % of the file`;
}

/** The summary at the end; `leftOut` is the number of parts of the file that could not be used. */
function summaryText(
  { frames, bytes, stopped }: Played,
  { path, to, elapsedS, leftOut }: { path: string; to: string; elapsedS: number; leftOut: number },
): string {
  const damage = leftOut === 0 ? '' : `; ${leftOut} ${leftOut === 1 ? 'part' : 'parts'} of the file left out`;
  const how = stopped ? 'stopped after' : 'sent';
  return `${how} ${frames} frames (${bytes} bytes) of ${basename(path)} to ${to} in ${elapsedS.toFixed(1)} s${damage}`;
}

function clockText(seconds: number): string {
  const two = (n: number): string => String(Math.floor(n)).padStart(2, '0');
  return `${two(seconds / 3600)}:${two((seconds / 60) % 60)}:${two(seconds % 60)}`;
}
