import { once } from 'node:events';
import { sentenceOf, unavailable } from '../../model/fault.ts';
import { flagsAlone, readArguments, type Values } from '../arguments.ts';
import { checkUrl, daemonPlace, placeHelp, placeOptions } from '../daemon/place.ts';
import { withInterrupt } from '../interrupt.ts';
import { exits, type Io } from '../io.ts';
import { follow, type Notice, type StreamPlace } from './follow.ts';
import { type Line, writeLine } from './line.ts';
import { PictureLines } from './picture_lines.ts';
import { printable, printableJson } from './printable.ts';

const help = `Usage: dunlin watch [--url URL] [--key-file FILE] [--ca FILE] [--config FILE] [--live] [--once] [--json]

Prints events as lines for a person: alerts, threats, sensors, links, tracks that appear and disappear, plans, and
changes of the shown world. Begins with the present picture. Uses colour only on a terminal.

${placeHelp}
  --live           prints the live world, even while another world is shown
  --once           prints the present picture, and ends
  --json           prints one JSON object per line, for scripts: {"at", "kind", "body", "lines"}
  --help           this text

After an interruption the command connects again, with growing delays, and prints this. 'STREAM stale' means that nothing
was received for a while, so the lines above may be outdated.

Exit codes: 0 done or ended by Ctrl-C, 1 refused or (with --once) not reached, 2 wrong use, 78 bad configuration.`;

const options = {
  ...placeOptions,
  live: { type: 'boolean' },
  once: { type: 'boolean' },
  json: { type: 'boolean' },
} as const;
type Flags = Values<typeof options>;

export type WatchIo = Io & {
  /** Ends the watch; if absent, SIGINT and SIGTERM end it. */
  signal?: AbortSignal;
  /** True if standard output is a terminal; if absent, `process.stdout` is asked. */
  outIsTty?: boolean;
};

/** Runs `dunlin watch`. Resolves with the exit code, and never rejects. */
export async function watchCommand(argv: readonly string[], io: WatchIo): Promise<number> {
  const flags = readArguments(argv, { name: 'watch', help, options, read }, io);
  if (typeof flags === 'number') return flags;
  try {
    const place = daemonPlace(flags, io);
    if (place === null) return exits.badConfiguration;
    return await watch({ ...place, world: flags.live ? 'live' : null }, flags, io);
  } catch (thrown) {
    io.err(`dunlin watch: ${printable(sentenceOf(thrown))}`);
    return exits.failed;
  }
}

function read(words: readonly string[], flags: Flags): Flags {
  checkUrl(flagsAlone(words, flags).url);
  return flags;
}

async function watch(place: StreamPlace, { once: isOnce, json }: Flags, io: WatchIo): Promise<number> {
  const picture = new PictureLines();
  const isColoured = (io.outIsTty ?? process.stdout.isTTY === true) && !process.env.NO_COLOR;
  return withInterrupt(io.signal, async (signal) => {
    for await (const notice of follow(place, signal)) {
      if (isOnce && notice.what === 'lost') throw unavailable(notice.cause);
      const { at, kind, body, lines } = readNotice(notice, picture, place.url);
      if (json)
        io.out(printableJson({ at, kind, body, lines: lines.map(({ subject, text }) => `${subject} ${text}`) }));
      else for (const line of lines) io.out(writeLine({ ...line, at }, isColoured));
      if (isOnce && kind === 'snapshot') return exits.done;
      // If the terminal is slower than the stream, wait for the terminal: this slows the stream down.
      if (io.signal === undefined && process.stdout.writableNeedDrain) await once(process.stdout, 'drain');
    }
    return exits.done;
  });
}

type Read = { at: string | null; kind: string; body: unknown; lines: Omit<Line, 'at'>[] };

function readNotice(notice: Notice, picture: PictureLines, { origin }: URL): Read {
  if (notice.what !== 'event') {
    const { what, ...body } = notice;
    return { at: null, kind: `stream_${what}`, body, lines: [streamLine(notice, origin)] };
  }
  const { kind, data } = notice.event;
  try {
    const { at, body } = JSON.parse(data) as { at: string; body: unknown };
    return { at, kind, body, lines: picture.take(kind, body) };
  } catch (thrown) {
    const text = `an event '${kind}' could not be read: ${sentenceOf(thrown)}`;
    return { at: null, kind, body: null, lines: [{ subject: 'STREAM', text, tone: 'dim' }] };
  }
}

function streamLine(notice: Exclude<Notice, { what: 'event' }>, origin: string): Omit<Line, 'at'> {
  if (notice.what === 'connected') return { subject: 'STREAM', text: `connected to ${origin}`, tone: 'good' };
  if (notice.what === 'stale') {
    return {
      subject: 'STREAM',
      text: `stale: nothing was received for ${notice.silentS} s, so the lines above may be outdated`,
      tone: 'warning',
    };
  }
  const again = `trying again in ${(notice.retryMs / 1_000).toFixed(1)} s`;
  return { subject: 'STREAM', text: `lost: ${notice.cause}; ${again}`, tone: 'warning' };
}
