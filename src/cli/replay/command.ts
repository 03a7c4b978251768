import { basename } from 'node:path';
import { invalidInput, sentenceOf } from '../../model/fault.ts';
import { readArguments, type Values, wrongUse } from '../arguments.ts';
import { withInterrupt } from '../interrupt.ts';
import { exits, type Io } from '../io.ts';
import { Progress } from '../progress.ts';
import { openCapture, type PacketForm, packetForms } from './capture.ts';
import { type CaptureFormat, captureFormats } from './detect.ts';
import { HciAnswers } from './hci_answers.ts';
import { type Played, playCapture, realClock } from './player.ts';
import { DEFAULT_TARGET, openTarget, parseTarget, type Target } from './target.ts';

const help = `Usage: dunlin replay FILE [--rate R|max] [--to TARGET] [--link NAME] [--format FORM]
                          [--as FORM] [--baud N] [--loop]

Plays a capture to a link at the pace of its own times. Formats: recordings of this service, lines of {"t": seconds, "hex": "..."},
MAVLink tlog, raw MAVLink, BaseStation (SBS), NMEA, other text lines that a link can read, and packet captures (pcap, pcapng)
with Remote ID in Wi-Fi beacons, NAN frames or Bluetooth advertisements. The format is detected from the file's content.

  --rate R|max   speed: 1 is the capture's own pace (default), 4 four times as fast, max as fast as the target accepts. At
                 other speeds than 1, the clocks and speeds in the capture look wrong
  --to TARGET    udp://HOST:PORT, tcp://HOST:PORT, serial:PATH (default ${DEFAULT_TARGET}), or unix:PATH: a
                 socket to which a link with transport=unix connects; the replay begins when it has connected
  --as FORM      ${packetForms.join(', ')}: the protocol of the link that receives a packet capture (default mavlink, and
                 capture for unix:PATH); hci_h4 answers the commands of the link
  --link NAME    the link to play, if the recording has several
  --format FORM  ${captureFormats.join(', ')}: format of the file, if it cannot be detected
  --baud N       speed of a serial port (default 115200)
  --loop         plays the file again and again, until interrupted
  --help         this text

Exit codes: 0 done, 1 failed or nothing listened at the end, 2 wrong use.`;

type ReplayFlags = {
  path: string;
  to: string;
  rate: number | 'max';
  format: CaptureFormat | undefined;
  link: string | undefined;
  as: PacketForm | undefined;
  baud: number;
  loop: boolean;
};

const options = {
  rate: { type: 'string' },
  to: { type: 'string' },
  format: { type: 'string' },
  link: { type: 'string' },
  as: { type: 'string' },
  baud: { type: 'string' },
  loop: { type: 'boolean' },
} as const;

/** Returns the flags of the command; its exit code if help was requested or the arguments are wrong. */
function readReplayFlags(argv: readonly string[], io: Io): ReplayFlags | number {
  return readArguments(argv, { name: 'replay', help, options, read }, io);
}

function read([path, ...more]: readonly string[], given: Values<typeof options>): ReplayFlags {
  const { to = DEFAULT_TARGET, rate = '1', format, link, as, baud = '115200', loop = false } = given;
  if (path === undefined) throw wrongUse('name the capture file that is to be played');
  if (more.length > 0) throw wrongUse(`name only one file: '${more[0]}' is the second one`);
  const form = parseForm(as) ?? (parseTarget(to).kind === 'unix' ? 'capture' : undefined);
  const speed = { rate: parseRate(rate), baud: parseBaud(baud) };
  return { path, to, ...speed, format: parseFormat(format), link, as: form, loop };
}

function parseRate(text: string): number | 'max' {
  if (text === 'max') return 'max';
  const rate = /^\d+(\.\d+)?$/.test(text) ? Number(text) : 0;
  if (rate < 0.01 || rate > 1000) throw wrongUse(`--rate must be a number from 0.01 to 1000, or max, not '${text}'`);
  return rate;
}

function parseFormat(text: string | undefined): CaptureFormat | undefined {
  const format = captureFormats.find((known) => known === text);
  if (text !== undefined && format === undefined) {
    throw wrongUse(`--format must be one of ${captureFormats.join(', ')}, not '${text}'`);
  }
  return format;
}

function parseForm(text: string | undefined): PacketForm | undefined {
  const form = packetForms.find((known) => known === text);
  if (text !== undefined && form === undefined)
    throw wrongUse(`--as must be one of ${packetForms.join(', ')}, not '${text}'`);
  return form;
}

function parseBaud(text: string): number {
  const baud = /^\d{3,7}$/.test(text) ? Number(text) : 0;
  if (baud < 300 || baud > 4_000_000) throw wrongUse(`--baud must be a number from 300 to 4000000, not '${text}'`);
  return baud;
}

export type ReplayIo = Io & {
  /** Stops the replay; if absent, SIGINT and SIGTERM stop it. */
  signal?: AbortSignal;
};

/** Runs `dunlin replay`. Resolves with the exit code, and never rejects. */
export async function replayCommand(argv: readonly string[], io: ReplayIo): Promise<number> {
  const flags = readReplayFlags(argv, io);
  if (typeof flags === 'number') return flags;
  try {
    const { summary, isReceived } = await replay(flags, io);
    io.out(summary);
    return isReceived ? exits.done : exits.failed;
  } catch (thrown) {
    io.err(`dunlin replay: ${sentenceOf(thrown)}`);
    return exits.failed;
  }
}

async function replay(flags: ReplayFlags, io: ReplayIo): Promise<{ summary: string; isReceived: boolean }> {
  const progress = new Progress(io);
  if (flags.rate !== 1) io.err(rateNote(flags.rate));
  const beganMs = realClock.nowMs();
  const elapsedS = (): number => (realClock.nowMs() - beganMs) / 1000;
  return withInterrupt(io.signal, async (signal) => {
    const onRefused = (sentence: string): void => {
      progress.end();
      io.err(`warning: ${sentence}`);
    };
    const answers = flags.as === 'hci_h4' ? new HciAnswers() : null;
    const target = await openTarget(flags.to, {
      baud: flags.baud,
      onRefused,
      signal,
      onWaiting: (sentence) => io.err(`note: ${sentence}`),
      ...(answers === null ? {} : { answer: (bytes) => answers.take(bytes) }),
    });
    let isRefused = false;
    try {
      const total = await playPasses(flags, target, { progress, elapsedS }, signal);
      progress.end();
      isRefused = await target.close();
      const summary = summaryText(total, { ...flags, elapsedS: elapsedS(), leftOut: progress.problems });
      return {
        summary: isRefused ? `${summary}; at the end, no program listened at the target` : summary,
        isReceived: !isRefused,
      };
    } catch (thrown) {
      progress.end();
      await target.close();
      throw thrown;
    }
  });
}

/**
 * Plays the file once; with --loop, again until the signal. Throws if a pass has no frame, because the loop would then
 * never pause.
 */
async function playPasses(
  flags: ReplayFlags,
  target: Target,
  { progress, elapsedS }: { progress: Progress; elapsedS(): number },
  signal: AbortSignal,
): Promise<Played> {
  const total: Played = { frames: 0, bytes: 0, stopped: false };
  do {
    const onProblem = (sentence: string): void => progress.problem(sentence);
    const capture = openCapture(flags.path, { ...flags, onProblem });
    const pass = await playCapture(capture, target.send, {
      rate: flags.rate,
      clock: realClock,
      // The rate depends on the format of the file, which is known only after the file is open.
      untimedHz: () => capture.untimedHz,
      signal,
      onProgress: (played) =>
        progress.show(() => progressText(total.frames + played.frames, elapsedS(), capture.progress())),
    });
    total.frames += pass.frames;
    total.bytes += pass.bytes;
    total.stopped = pass.stopped;
    if (pass.frames === 0 && !pass.stopped)
      throw invalidInput(`${flags.path} contains no frame that can be sent: check --format and --link`);
  } while (flags.loop && !total.stopped);
  return total;
}

function rateNote(rate: number | 'max'): string {
  const pace = rate === 'max' ? 'as fast as the target accepts' : `at ${rate} times the pace of the capture`;
  return `note: played ${pace}, clocks and speeds look wrong to Dunlin: it may refuse reports and mark tracks as suspect; use --rate 1 to judge the results`;
}

/** Words the progress line: frames sent, elapsed time, and share of the file read (`fileRead`, from 0 to 1). */
function progressText(frames: number, elapsedS: number, fileRead: number): string {
  return `${frames} frames, ${clockText(elapsedS)}, ${Math.floor(fileRead * 100)} % of the file`;
}

/** Words the summary at the end. `leftOut` is the number of parts of the file that could not be used. */
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
