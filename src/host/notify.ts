import { createRequire } from 'node:module';

/** Function that sends one datagram, and returns false if the sending failed. */
type SendState = (socketPath: string, state: string) => boolean;

type NotifierOptions = {
  env?: Record<string, string | undefined>;
  pid?: number;
  send?: SendState;
};

/**
 * Creates the sender of systemd's readiness protocol, sd_notify(3). Without NOTIFY_SOCKET, all its functions do
 * nothing. NOTIFY_SOCKET and the WATCHDOG variables are removed from `env`, so that child processes do not notify in
 * the name of the daemon.
 */
export function createNotifier({ env = process.env, pid = process.pid, send }: NotifierOptions = {}) {
  const socket = takeSocket(env);
  const watchdogMs = takeWatchdog(env, pid, socket);
  const notify = socket === null ? null : (send ?? nativeSend());
  const report = (state: string): void => {
    if (notify !== null && socket !== null) notify(socket, state);
  };
  return {
    enabled: socket !== null,
    /** Longest interval between two pings that the service manager accepts, ms; null without a watchdog. */
    watchdogMs,
    ready: (status: string) => report(`READY=1\nSTATUS=${oneLine(status)}`),
    /** Sets the line that `systemctl status` shows. */
    status: (text: string) => report(`STATUS=${oneLine(text)}`),
    stopping: () => report('STOPPING=1\nSTATUS=stopping'),
    /**
     * Creates a timer that sends three pings per watchdog interval while `healthy` returns true. After a stall of this
     * thread, `healthy` is called only when the answers that arrived during the stall have been processed.
     */
    watchdog: (healthy: () => boolean) =>
      createWatchdog(watchdogMs, () => void setImmediate(() => healthy() && report('WATCHDOG=1'))),
  };
}

function takeSocket(env: Record<string, string | undefined>): string | null {
  const socket = env.NOTIFY_SOCKET;
  delete env.NOTIFY_SOCKET;
  return socket?.startsWith('/') || socket?.startsWith('@') ? socket : null;
}

function takeWatchdog(env: Record<string, string | undefined>, pid: number, socket: string | null): number | null {
  const { WATCHDOG_USEC: microseconds, WATCHDOG_PID: watched } = env;
  delete env.WATCHDOG_USEC;
  delete env.WATCHDOG_PID;
  // Child processes may inherit the variables. WATCHDOG_PID names the process that they concern
  // (sd_watchdog_enabled(3)).
  if (socket === null || (watched !== undefined && Number(watched) !== pid)) return null;
  const ms = Number(microseconds) / 1_000;
  return ms > 0 && Number.isFinite(ms) ? ms : null;
}

function createWatchdog(watchdogMs: number | null, ping: () => void) {
  let timer: NodeJS.Timeout | null = null;
  return {
    start(): void {
      if (watchdogMs === null || timer !== null) return;
      ping();
      timer = setInterval(ping, watchdogMs / 3);
      timer.unref();
    },
    stop(): void {
      if (timer !== null) clearInterval(timer);
      timer = null;
    },
  };
}

/** Replaces line breaks by spaces: in the protocol, a line break would begin another assignment. */
function oneLine(text: string): string {
  return text.replace(/[\r\n]+/g, ' ').slice(0, 500);
}

function nativeSend(): SendState {
  const addon = createRequire(import.meta.url)('#native') as { notify: SendState };
  return addon.notify;
}
