import { fstatSync } from 'node:fs';
import { type LoggerOptions, pino, stdSerializers, stdTimeFunctions } from 'pino';
import type { LogLevel } from '../model/log_level.ts';
import { hiddenPaths, hideTokens, pathOnly } from './journal/secrets.ts';

export { type RateLimited, rateLimited } from './journal/rate_limited.ts';

type Write = { (fields: object, message?: string): void; (message: string): void };

/** The log for the administrators of the box. */
export type Log = Record<LogLevel, Write> & {
  /** A log whose lines all have these fields. */
  child(fields: Record<string, unknown>): Log;
};

export type Journal = {
  log: Log;
  level(): LogLevel;
  /** Sets the level of the log and of each log that was made from it. */
  setLevel(level: LogLevel): void;
  /** Number of lines that were dropped because standard output was blocked for too long, or failed. */
  dropped(): number;
  /** Resolves when every line was written, or after `withinMs`. */
  flush(withinMs?: number): Promise<void>;
};

type JournalOptions = {
  level?: LogLevel;
  env?: Readonly<Record<string, string | undefined>>;
  /** Receives lines in place of standard output. */
  write?: (line: string) => void;
};

/**
 * The journal: JSON lines on standard output, which journald stores. Lines are written outside of the event loop from a
 * bounded buffer. Query strings are removed from `url` fields; passwords, tokens and keys are hidden wherever they
 * occur.
 */
export function createJournal({ level = 'info', env = process.env, write }: JournalOptions = {}): Journal {
  const output = write === undefined ? createOutput(1) : { write, dropped: () => 0, flush: () => Promise.resolve() };
  const prefixed = readsPriorities(env);
  const destination = {
    // Makes pino store the level of each line in lastLevel before it calls write.
    [Symbol.for('pino.metadata')]: true,
    lastLevel: 30,
    write(line: string): void {
      const safe = hideTokens(line);
      output.write(prefixed ? `<${priorityOf(this.lastLevel)}>${safe}` : safe);
    },
  };
  // A child keeps the level that it was made with.
  let children: WeakRef<Levelled>[] = [];
  const onChild = (child: Levelled): void => {
    children = [...children.filter((known) => known.deref() !== undefined), new WeakRef(child)];
  };
  const log = pino({ ...optionsOf(level), onChild }, destination);
  return {
    log,
    level: () => log.level as LogLevel,
    setLevel(wanted) {
      for (const one of [log, ...children.map((child) => child.deref())]) if (one) one.level = wanted;
    },
    dropped: output.dropped,
    flush: output.flush,
  };
}

type Levelled = { level: string };

function optionsOf(level: LogLevel): LoggerOptions {
  return {
    level,
    // journald adds host and process id, so pino does not.
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    serializers: { err: stdSerializers.err, error: stdSerializers.err, url: pathOnly },
    redact: { paths: hiddenPaths, censor: '[hidden]' },
  };
}

/**
 * Whether standard output is journald's stream: JOURNAL_STREAM has its device and inode (systemd.exec(5)). The variable
 * alone is no proof, because children of a service inherit it and may write elsewhere.
 */
function readsPriorities(env: Readonly<Record<string, string | undefined>>): boolean {
  const stream = env.JOURNAL_STREAM;
  if (stream === undefined) return false;
  try {
    const { dev, ino } = fstatSync(1, { bigint: true });
    return stream === `${dev}:${ino}`;
  } catch {
    return false;
  }
}

/** The syslog priority of a level of pino: 2 critical, 3 error, 4 warning, 6 information, 7 debug (sd-daemon(3)). */
function priorityOf(level: number): number {
  if (level >= 60) return 2;
  if (level >= 50) return 3;
  if (level >= 40) return 4;
  return level >= 30 ? 6 : 7;
}

/** Writer of lines to a file descriptor. */
type Output = { write(line: string): void; dropped(): number; flush(withinMs?: number): Promise<void> };

const MAX_BUFFERED_BYTES = 1_048_576;

/**
 * Writes lines asynchronously from a bounded buffer. A blocked reader causes lost lines (counted), but never blocks the
 * event loop. Lines that are still buffered are written when the process exits.
 */
function createOutput(fd: number): Output {
  // With a minimum length of 1, each line is written at once, and flush() waits for the write in progress; with 0 it does not.
  const stream = pino.destination({ dest: fd, sync: false, minLength: 1, maxLength: MAX_BUFFERED_BYTES });
  let dropped = 0;
  stream.on('drop', () => dropped++);
  // A failed log must not end the surveillance.
  stream.on('error', () => dropped++);
  return {
    write: (line) => void stream.write(line),
    dropped: () => dropped,
    flush: (withinMs = 500) =>
      new Promise((resolve) => {
        const deadline = setTimeout(resolve, withinMs);
        const done = (): void => {
          clearTimeout(deadline);
          resolve();
        };
        stream.flush(done);
      }),
  };
}
