import { fstatSync } from 'node:fs';
import { type LoggerOptions, pino, stdSerializers, stdTimeFunctions } from 'pino';
import type { LogLevel } from '../model/log_level.ts';
import { hiddenPaths, hideTokens, pathOnly } from './journal/secrets.ts';

export { type RateLimited, rateLimited } from './journal/rate_limited.ts';

type Write = { (fields: object, message?: string): void; (message: string): void };

/** Log for the administrators of the box. */
export type Log = Record<LogLevel, Write> & {
  /** Returns a log whose lines all contain these fields. */
  child(fields: Record<string, unknown>): Log;
};

export type Journal = {
  log: Log;
  level(): LogLevel;
  /** Sets the level of the log and of all its child logs. */
  setLevel(level: LogLevel): void;
  /** Returns the number of lines dropped because standard output was blocked for too long, or failed. */
  dropped(): number;
  /** Resolves when all lines are written, but at the latest after `withinMs`. */
  flush(withinMs?: number): Promise<void>;
};

type JournalOptions = {
  level?: LogLevel;
  env?: Readonly<Record<string, string | undefined>>;
  /** Receives lines in place of standard output. */
  write?: (line: string) => void;
};

/**
 * Creates the journal: JSON lines on standard output, which journald stores. Lines are written outside of the event
 * loop from a bounded buffer. Query strings are removed from `url` fields. Secrets are hidden in the fields of
 * `hiddenPaths`; session tokens, tickets and API keys are hidden in any text.
 */
export function createJournal({ level = 'info', env = process.env, write }: JournalOptions = {}): Journal {
  const output = write === undefined ? createOutput(1) : { write, dropped: () => 0, flush: () => Promise.resolve() };
  const prefixed = readsPriorities(env);
  const destination = {
    // With this symbol, pino stores the level of each line in `lastLevel` before it calls `write`.
    [Symbol.for('pino.metadata')]: true,
    lastLevel: 30,
    write(line: string): void {
      const safe = hideTokens(line);
      output.write(prefixed ? `<${priorityOf(this.lastLevel)}>${safe}` : safe);
    },
  };
  // In pino, a child log does not follow later level changes of its parent, so the children are remembered here.
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

/** Serializes an error under its own name: names of classes are short ones in the bundle. */
function named(error: Error): unknown {
  return error instanceof Error ? { ...stdSerializers.err(error), type: error.name } : error;
}

type Levelled = { level: string };

function optionsOf(level: LogLevel): LoggerOptions {
  return {
    level,
    // journald adds host and process id, so pino does not.
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    serializers: { err: named, error: named, url: pathOnly },
    redact: { paths: hiddenPaths, censor: '[hidden]' },
  };
}

/**
 * Returns true if standard output is the stream of journald: JOURNAL_STREAM contains its device and inode
 * (systemd.exec(5)). The mere existence of the variable proves nothing, because child processes of a service inherit it
 * and may write elsewhere.
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

/**
 * Returns the syslog priority of a pino level: 2 critical, 3 error, 4 warning, 6 information, 7 debug (sd-daemon(3)).
 */
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
 * Creates a writer that writes lines asynchronously from a bounded buffer. If the reader of the pipe blocks, lines are
 * dropped and counted, but the event loop is never blocked. Lines that are still buffered are written when the process
 * exits.
 */
function createOutput(fd: number): Output {
  // With `minLength` 1, each line is written at once, and flush() waits for the write in progress. With 0, it does not
  // wait.
  const stream = pino.destination({ dest: fd, sync: false, minLength: 1, maxLength: MAX_BUFFERED_BYTES });
  let dropped = 0;
  stream.on('drop', () => dropped++);
  // A failed write to the log is only counted: without this handler, the error would end the daemon.
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
