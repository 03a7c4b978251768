import { readArguments, type Values, wrongUse } from '../arguments.ts';
import type { Io } from '../io.ts';
import { type CaptureFormat, captureFormats } from './detect.ts';
import { DEFAULT_TARGET, parseTarget } from './target.ts';

const help = `Usage: dunlin replay FILE [--rate R|max] [--to TARGET] [--link NAME] [--format FORM]
                          [--baud N] [--loop]

Plays a capture to a link at the pace of its own times. Forms: recordings of this service, lines of {"t": seconds, "hex": "..."},
MAVLink tlog, raw MAVLink, BaseStation (SBS), NMEA and other text lines; the file's content tells which.

  --rate R|max   1 is the capture's own pace (default), 4 four times as fast, max as fast as it is taken
  --to TARGET    udp://HOST:PORT, tcp://HOST:PORT or serial:PATH (default ${DEFAULT_TARGET})
  --link NAME    which link of a recording, where it is of several
  --format FORM  ${captureFormats.join(', ')}: what the file is, where that cannot be told
  --baud N       speed of a serial port (default 115200)
  --loop         begins again at the end, until interrupted
  --help         this text

Exit codes: 0 done, 1 failed, 2 wrong use.`;

export type ReplayFlags = {
  path: string;
  to: string;
  rate: number | 'max';
  format: CaptureFormat | undefined;
  link: string | undefined;
  baud: number;
  loop: boolean;
};

const options = {
  rate: { type: 'string' },
  to: { type: 'string' },
  format: { type: 'string' },
  link: { type: 'string' },
  baud: { type: 'string' },
  loop: { type: 'boolean' },
} as const;

/** Flags of the command, or its exit code where help was asked for or the use is wrong. */
export function readReplayFlags(argv: readonly string[], io: Io): ReplayFlags | number {
  return readArguments(argv, { name: 'replay', help, options, read }, io);
}

function read([path, ...more]: readonly string[], given: Values<typeof options>): ReplayFlags {
  const { to = DEFAULT_TARGET, rate = '1', format, link, baud = '115200', loop = false } = given;
  if (path === undefined) throw wrongUse('name the capture file to play');
  if (more.length > 0) throw wrongUse(`one file at a time: '${more[0]}' is one too many`);
  parseTarget(to);
  return { path, to, rate: parseRate(rate), format: parseFormat(format), link, baud: parseBaud(baud), loop };
}

function parseRate(text: string): number | 'max' {
  if (text === 'max') return 'max';
  const rate = /^\d+(\.\d+)?$/.test(text) ? Number(text) : 0;
  if (rate < 0.01 || rate > 1000) throw wrongUse(`--rate is a number from 0.01 to 1000 or max, not '${text}'`);
  return rate;
}

function parseFormat(text: string | undefined): CaptureFormat | undefined {
  const format = captureFormats.find((known) => known === text);
  if (text !== undefined && format === undefined) {
    throw wrongUse(`--format is one of ${captureFormats.join(', ')}, not '${text}'`);
  }
  return format;
}

function parseBaud(text: string): number {
  const baud = /^\d{3,7}$/.test(text) ? Number(text) : 0;
  if (baud < 300 || baud > 4_000_000) throw wrongUse(`--baud is a number from 300 to 4000000, not '${text}'`);
  return baud;
}
