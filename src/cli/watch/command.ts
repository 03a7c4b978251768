import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { isLoopback, parseHostPort, readConfig } from '../../host/config.ts';
import { invalidInput, notFound, sentenceOf, unavailable } from '../../model/fault.ts';
import { dataOptions, flagsAlone, readArguments, type Values, wrongUse } from '../arguments.ts';
import { askedAt } from '../doctor/ask.ts';
import { exits, type Io } from '../io.ts';
import { follow, type Notice, type StreamPlace } from './follow.ts';
import { type Line, writeLine } from './line.ts';
import { PictureLines } from './picture_lines.ts';
import { printable, printableJson } from './printable.ts';

const help = `Usage: dunlin watch [--url URL] [--key-file FILE] [--ca FILE] [--live] [--once] [--json]

Prints what happens as lines that a person reads: alerts, threats, sensors, links, tracks that come and go, plans, and
changes of the shown world. It begins with the picture as it is. Colour on a terminal, plain in a pipe.

  --url URL        the daemon, for example https://dunlin.local:8077; without it, that of this box's configuration
  --key-file FILE  the API key, where the daemon asks for one ('dunlin key add'); also the variable DUNLIN_API_KEY
  --ca FILE        the certificate that https is checked by (PEM)
  --live           the live world, also while another one is shown
  --once           prints the picture as it is, and ends
  --json           one JSON object a line, for scripts: {"at", "kind", "body", "lines"}
  --config FILE    the configuration that names the address
  --help           this text

After a break it connects again, with growing delays, and says so. 'STREAM stale' means: nothing came for a while, and the
lines above may not hold any more.

Exit codes: 0 ended by Ctrl-C or done, 1 refused or (with --once) not reached, 2 wrong use, 78 bad configuration.`;

const options = {
  config: dataOptions.config,
  url: { type: 'string' },
  'key-file': { type: 'string' },
  ca: { type: 'string' },
  live: { type: 'boolean' },
  once: { type: 'boolean' },
  json: { type: 'boolean' },
} as const;
type Flags = Values<typeof options>;

export type WatchIo = Io & {
  /** Ends the watch; where absent, SIGINT and SIGTERM do. */
  signal?: AbortSignal;
  /** True where results go to a terminal. */
  outIsTty?: boolean;
};

/** `dunlin watch`: answers the exit code and never rejects. */
export async function watchCommand(argv: readonly string[], io: WatchIo): Promise<number> {
  const flags = readArguments(argv, { name: 'watch', help, options, read }, io);
  if (typeof flags === 'number') return flags;
  try {
    const url = flags.url === undefined ? urlOfBox(flags, io) : new URL(flags.url);
    if (url === null) return exits.badConfiguration;
    const place = placeOf(url, flags);
    if (place.key !== null && url.protocol === 'http:' && !isLoopback(url.host)) {
      io.err(`warning: the key goes to ${url.host} in clear; use https`);
    }
    return await watch(place, flags, io);
  } catch (thrown) {
    io.err(`dunlin watch: ${printable(sentenceOf(thrown))}`);
    return exits.failed;
  }
}

function read(words: readonly string[], flags: Flags): Flags {
  const { url } = flagsAlone(words, flags);
  if (url === undefined) return flags;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw wrongUse(`--url is http://HOST:PORT or https://HOST:PORT, not '${printable(url)}'`);
  return flags;
}

/** Address of the daemon of this box, as its configuration has it. */
function urlOfBox({ config }: Flags, io: Io): URL | null {
  const found = readConfig({ config });
  for (const problem of found.problems) io.err(problem);
  if (!found.ok) return null;
  const { listen, tls } = found.config.http;
  const { host, port } = askedAt(parseHostPort(listen) ?? { host: '127.0.0.1', port: 8077 });
  return new URL(`${tls === null ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${port}`);
}

function placeOf(url: URL, { 'key-file': keyFile, ca, live }: Flags): StreamPlace {
  const key = keyFile === undefined ? process.env.DUNLIN_API_KEY || null : readText(keyFile).trim();
  if (key !== null && !/^[\x21-\x7e]+$/.test(key)) throw invalidInput(`${keyFile} holds no key`);
  return { url, key, ca: ca === undefined ? null : readText(ca), world: live ? 'live' : null };
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (thrown) {
    throw notFound(`cannot read ${path}: ${sentenceOf(thrown)}`, { cause: thrown });
  }
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
      // A terminal that is slower than the stream holds the stream back.
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
      text: `stale: nothing came for ${notice.silentS} s, the lines above may not hold`,
      tone: 'warning',
    };
  }
  const again = `trying again in ${(notice.retryMs / 1_000).toFixed(1)} s`;
  return { subject: 'STREAM', text: `lost: ${notice.cause}; ${again}`, tone: 'warning' };
}

/** Runs `work` with the given signal, or with one that SIGINT and SIGTERM raise. */
async function withInterrupt<T>(given: AbortSignal | undefined, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  if (given !== undefined) return work(given);
  const interrupt = new AbortController();
  const onSignal = (): void => interrupt.abort();
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  try {
    return await work(interrupt.signal);
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
    interrupt.abort();
  }
}
