import type { EventEmitter } from 'node:events';
import type { Log } from './journal.ts';

/** Exit code after an uncaught error: EX_SOFTWARE of sysexits.h. systemd then restarts the daemon. */
const EXIT_UNCAUGHT = 70;

/** Part of Node's `process` that is used here. */
type ProcessPort = EventEmitter & { exit(code: number): void };

type SignalOptions = {
  log: Log;
  /** Stops all parts of the daemon, and resolves with the exit code. */
  stop: () => Promise<number>;
  /** Waits until the last lines of the log are written. */
  flush: () => Promise<void>;
  port?: ProcessPort;
};

/**
 * Installs handlers of signals and uncaught errors. SIGTERM, SIGINT and SIGHUP call `stop`; a second signal exits at
 * once with code 1. An uncaught error is logged with its stack, and ends the process with code 70. The state is then
 * unknown, so nothing is cleaned up. Returns a function that removes the handlers.
 */
export function handleSignals({ log, stop, flush, port = process }: SignalOptions): () => void {
  let asked = false;
  let dying = false;

  const exitWith = (code: number): void => {
    flush().then(
      () => port.exit(code),
      () => port.exit(code),
    );
  };

  const onSignal = (signal: string): void => {
    if (asked) {
      log.warn({ signal }, `${signal} was received again: the process exits at once, without a clean stop`);
      port.exit(1);
      return;
    }
    asked = true;
    log.info({ signal }, `${signal}: stopping`);
    stop().then(exitWith, (error: unknown) => die('stop', error));
  };

  const die = (kind: string, error: unknown): void => {
    // A further error during the exit must not begin the exit again.
    if (dying) return;
    dying = true;
    try {
      log.fatal({ err: asError(error), kind }, 'an uncaught error ends the process');
    } finally {
      exitWith(EXIT_UNCAUGHT);
    }
  };

  const handlers: Record<string, (error: unknown) => void> = {
    SIGTERM: () => onSignal('SIGTERM'),
    SIGINT: () => onSignal('SIGINT'),
    // SIGHUP is sent when the terminal of the process is closed.
    SIGHUP: () => onSignal('SIGHUP'),
    uncaughtException: (error) => die('uncaughtException', error),
    unhandledRejection: (error) => die('unhandledRejection', error),
  };
  for (const [event, handler] of Object.entries(handlers)) port.on(event, handler);
  return () => {
    for (const [event, handler] of Object.entries(handlers)) port.off(event, handler);
  };
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
