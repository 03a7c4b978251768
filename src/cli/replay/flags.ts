import { parseArgs } from 'node:util';
import { Fault, sentenceOf } from '../../model/fault.ts';
import { type CaptureFormat, captureFormats } from './detect.ts';
import { DEFAULT_TARGET, parseTarget } from './target.ts';

export const replayHelp = `Usage: dunlin replay FILE [--rate R|max] [--to TARGET] [--link NAME] [--format FORM]
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

/** Reads the command's words; 'help' where help was asked for. Throws an `invalid_input` Fault that says what is wrong. */
export function parseReplayFlags(argv: readonly string[]): ReplayFlags | 'help' {
  const { values, positionals } = parseWords(argv);
  if (values.help) return 'help';
  const [path, ...more] = positionals;
  if (path === undefined) throw new Fault('invalid_input', 'name the capture file to play');
  if (more.length > 0) throw new Fault('invalid_input', `one file at a time: '${more[0]}' is one too many`);
  const to = values.to ?? DEFAULT_TARGET;
  parseTarget(to);
  return {
    path,
    to,
    rate: parseRate(values.rate ?? '1'),
    format: parseFormat(values.format),
    link: values.link,
    baud: parseBaud(values.baud ?? '115200'),
    loop: values.loop ?? false,
  };
}

function parseWords(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        rate: { type: 'string' },
        to: { type: 'string' },
        format: { type: 'string' },
        link: { type: 'string' },
        baud: { type: 'string' },
        loop: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (thrown) {
    throw new Fault('invalid_input', sentenceOf(thrown), { cause: thrown });
  }
}

function parseRate(text: string): number | 'max' {
  if (text === 'max') return 'max';
  const rate = /^\d+(\.\d+)?$/.test(text) ? Number(text) : 0;
  if (rate < 0.01 || rate > 1000)
    throw new Fault('invalid_input', `--rate is a number from 0.01 to 1000 or max, not '${text}'`);
  return rate;
}

function parseFormat(text: string | undefined): CaptureFormat | undefined {
  const format = captureFormats.find((known) => known === text);
  if (text !== undefined && format === undefined) {
    throw new Fault('invalid_input', `--format is one of ${captureFormats.join(', ')}, not '${text}'`);
  }
  return format;
}

function parseBaud(text: string): number {
  const baud = /^\d{3,7}$/.test(text) ? Number(text) : 0;
  if (baud < 300 || baud > 4_000_000)
    throw new Fault('invalid_input', `--baud is a number from 300 to 4000000, not '${text}'`);
  return baud;
}
