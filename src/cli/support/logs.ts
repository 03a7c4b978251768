import { spawnSync } from 'node:child_process';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { sentenceOf } from '../../model/fault.ts';

const MOST_LOG_BYTES = 8_000_000;
const WITHIN_MS = 20_000;

const none =
  'There is no journal of dunlin.service here. The daemon writes its log to standard output: name the file to which it was\nwritten with --log FILE.\n';

/** Returns the last lines of the service's log, from `file`, or from the journal if `file` is null. */
export function lastLines(file: string | null, lines: number): string {
  return file === null ? ofJournal(lines) : ofFile(file, lines);
}

function ofJournal(lines: number): string {
  const options = ['--unit=dunlin.service', `--lines=${lines}`, '--no-pager', '--quiet', '--output=short-iso-precise'];
  const run = spawnSync('journalctl', options, { encoding: 'utf8', timeout: WITHIN_MS, maxBuffer: MOST_LOG_BYTES });
  if (run.stdout?.trim()) return run.stdout;
  if (run.error !== undefined || run.status !== 0) {
    const why = run.error === undefined ? run.stderr.trim() : sentenceOf(run.error);
    return `${none}journalctl: ${why}\n`;
  }
  return none;
}

function ofFile(path: string, lines: number): string {
  try {
    const fd = openSync(path, 'r');
    try {
      const { size } = fstatSync(fd);
      const bytes = Buffer.alloc(Math.min(size, MOST_LOG_BYTES));
      const read = readSync(fd, bytes, 0, bytes.length, Math.max(0, size - bytes.length));
      return `${bytes.subarray(0, read).toString('utf8').trimEnd().split('\n').slice(-lines).join('\n')}\n`;
    } finally {
      closeSync(fd);
    }
  } catch (thrown) {
    return `${path} cannot be read: ${sentenceOf(thrown)}\n`;
  }
}
