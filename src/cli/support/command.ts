import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { resolve } from 'node:path';
import { sentenceOf } from '../../model/fault.ts';
import { formatTime } from '../../model/time.ts';
import { writeZip, type ZipEntry } from '../../recording/evidence/zip.ts';
import { dataOptions, readArguments, type Values, wrongUse } from '../arguments.ts';
import { canAsk, confirm } from '../confirm.ts';
import { checkUrl, placeHelp, placeOptions } from '../daemon/place.ts';
import { exits, type Io } from '../io.ts';
import { type BundlePart, collectParts } from './parts.ts';

const help = `Usage: dunlin support-bundle [--out FILE] [--yes] [--data DIR] [--log FILE] [--lines N] [--url URL] [--key-file FILE]

Writes one archive (zip) that helps another person to find a fault: settings, doctor, health, metrics, log, versions,
state of the databases, list of files. It first lists the content, and asks. Passwords, keys, tokens, sessions,
addresses of webhooks and positions are left out; names of people, sensors and aircraft may be in the log. The daemon
may run, or not.

  --out FILE       the archive, a new file; without it dunlin-support-TIME.zip in the present folder
  --yes            write without asking; required without a terminal
  --data DIR       the data folder; without it, that of the configuration
  --log FILE       a file with the log of the daemon, if the log is not in the journal
  --lines N        number of the last lines of the log that are written (default 5000)
${placeHelp}
  --help           this text

Exit codes: 0 done, 1 failed or declined, 2 wrong use.`;

const options = {
  ...placeOptions,
  data: dataOptions.data,
  out: { type: 'string' },
  yes: { type: 'boolean' },
  log: { type: 'string' },
  lines: { type: 'string' },
} as const;

/** Runs `dunlin support-bundle`. Resolves with the exit code. */
export async function supportBundleCommand(argv: readonly string[], io: Io): Promise<number> {
  const flags = readArguments(argv, { name: 'support-bundle', help, options, read }, io);
  if (typeof flags === 'number') return flags;
  const at = new Date();
  const out = resolve(flags.out ?? `dunlin-support-${formatTime(at.getTime()).replace(/[-:]|\.\d+/g, '')}.zip`);
  try {
    const collected = await collectParts(flags);
    const parts = [contentsOf(collected), ...collected];
    list(parts, io);
    if (!flags.yes && !canAsk(io)) {
      io.err('dunlin support-bundle: nothing was written: without a terminal, the command needs --yes');
      return exits.wrongUse;
    }
    if (!flags.yes && !(await confirm(io, `Write them to ${out}?`))) {
      io.out('nothing was written');
      return exits.failed;
    }
    io.out(`ok: ${await write(parts, out, at)} bytes in ${out}`);
    return exits.done;
  } catch (thrown) {
    io.err(`dunlin support-bundle: ${sentenceOf(thrown)}`);
    return exits.failed;
  }
}

function read([stray]: readonly string[], { lines = '5000', ...flags }: Values<typeof options>) {
  checkUrl(flags.url);
  if (stray !== undefined) throw wrongUse(`unexpected argument '${stray}': --out FILE names the archive`);
  if (!/^[1-9]\d{0,5}$/.test(lines)) throw wrongUse('--lines must be a whole number from 1 to 999999');
  return { ...flags, lines: Number(lines) };
}

function contentsOf(parts: readonly BundlePart[]): BundlePart {
  const text = `${parts.map(({ path, about }) => `${path}: ${about}`).join('\n')}\n`;
  return { path: 'contents.txt', about: 'this list', text };
}

function list(parts: readonly BundlePart[], io: Io): void {
  io.out('the bundle contains:');
  for (const { path, about, text } of parts)
    io.out(`  ${path.padEnd(20)} ${String(Buffer.byteLength(text)).padStart(9)} bytes  ${about}`);
}

/**
 * Writes the archive so that only this user can read it. Returns its size, bytes. Throws if the file exists already.
 */
async function write(parts: readonly BundlePart[], out: string, at: Date): Promise<number> {
  const fd = openSync(out, 'wx', 0o600);
  let bytes = 0;
  try {
    for await (const chunk of writeZip(entriesOf(parts), at)) bytes += writeSync(fd, chunk);
    fsyncSync(fd);
  } catch (thrown) {
    rmSync(out, { force: true });
    throw thrown;
  } finally {
    closeSync(fd);
  }
  return bytes;
}

async function* entriesOf(parts: readonly BundlePart[]): AsyncGenerator<ZipEntry> {
  for (const { path, text } of parts) yield { path: `dunlin-support/${path}`, content: contentOf(text) };
}

async function* contentOf(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}
