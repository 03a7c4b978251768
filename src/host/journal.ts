import { fstatSync } from 'node:fs';
import { type LoggerOptions, pino, stdSerializers, stdTimeFunctions } from 'pino';
import type { LogLevel } from './config/schema.ts';
import { hiddenPaths, hideTokens, pathOnly } from './journal/secrets.ts';

export { type RateLimited, rateLimited } from './journal/rate_limited.ts';

type Write = { (fields: object, message?: string): void; (message: string): void };

/** The log for the people who keep the box. */
export type Log = Record<LogLevel, Write> & {
  /** A log whose lines all carry `fields`. */
  child(fields: Record<string, unknown>): Log;
};

export type Journal = {
  log: Log;
  /** Lines that were dropped because standard output took nothing for too long, or failed. */
  dropped(): number;
  /** Resolves when every line has left, or after `withinMs`. */
  flush(withinMs?: number): Promise<void>;
};

type JournalOptions = {
  level?: LogLevel;
  env?: Readonly<Record<string, string | undefined>>;
  /** Destination of lines instead of standard output. */
  write?: (line: string) => void;
};

/**
 * The journal: JSON lines on standard output, which journald keeps. Lines are written off the event loop from a bounded
 * buffer. Query strings are cut from `url` fields; passwords, tokens and keys are hidden wherever they stand.
 */
export function createJournal({ level = 'info', env = process.env, write }: JournalOptions = {}): Journal {
  const output = write === undefined ? createOutput(1) : { write, dropped: () => 0, flush: () => Promise.resolve() };
  const prefixed = readsPriorities(env);
  const destination = {
    // Asks pino to leave the level of each line in lastLevel before it calls write.
    [Symbol.for('pino.metadata')]: true,
    lastLevel: 30,
    write(line: string): void {
      const safe = hideTokens(line);
      output.write(prefixed ? `<${priorityOf(this.lastLevel)}>${safe}` : safe);
    },
  };
  return { log: pino(optionsOf(level), destination), dropped: output.dropped, flush: output.flush };
}

function optionsOf(level: LogLevel): LoggerOptions {
  return {
    level,
    // journald adds host and process id itself.
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    serializers: { err: stdSerializers.err, error: stdSerializers.err, url: pathOnly },
    redact: { paths: hiddenPaths, censor: '[hidden]' },
  };
}

/**
 * True where standard output is journald's stream: JOURNAL_STREAM holds its device and inode (systemd.exec(5)). The variable
 * alone proves nothing, since children of a service inherit it and may write elsewhere.
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

/** Lines on their way to a file descriptor. */
type Output = { write(line: string): void; dropped(): number; flush(withinMs?: number): Promise<void> };

const MAX_BUFFERED_BYTES = 1_048_576;

/**
 * Writes lines by asynchronous writes from a bounded buffer: a reader that stalls costs lines (counted), never the event
 * loop. What is still buffered when the process exits is written then.
 */
function createOutput(fd: number): Output {
  // With a least length of 1 each line leaves at once and flush() truly waits for the write in flight; with 0 it does not.
  const stream = pino.destination({ dest: fd, sync: false, minLength: 1, maxLength: MAX_BUFFERED_BYTES });
  let dropped = 0;
  stream.on('drop', () => dropped++);
  // A log that cannot be written is no reason to stop watching the sky.
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
