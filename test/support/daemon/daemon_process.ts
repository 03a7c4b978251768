import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Test } from 'tap';
import { folderOf } from '../basics/folder.ts';
import { Daemon, readLine, type StartOptions } from './daemon.ts';
import { mainScript, plainNode } from './program.ts';

/** A daemon in a process of its own, as the service manager starts it. */
export class DaemonProcess extends Daemon {
  readonly process: ChildProcess;
  readonly startMs: number;

  constructor(
    process: ChildProcess,
    { url, dataDir, lines, startMs }: Pick<DaemonProcess, 'url' | 'dataDir' | 'lines' | 'startMs'>,
  ) {
    super(url, dataDir, lines);
    this.process = process;
    this.startMs = startMs;
  }

  /** Sends a signal and resolves with the exit code (null where the signal ended it). */
  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return this.process.exitCode;
    const exited = once(this.process, 'exit');
    this.process.kill(signal);
    const [code] = (await exited) as [number | null];
    return code;
  }
}

/** Ends a daemon by a signal; it must be one that was spawned. */
export function endBy(daemon: Daemon, signal: NodeJS.Signals): Promise<number | null> {
  if (!(daemon instanceof DaemonProcess)) throw new TypeError('a daemon in the process of the test takes no signal');
  return daemon.end(signal);
}

export type SpawnOptions = Omit<StartOptions, 'env'> & { env?: NodeJS.ProcessEnv; command?: readonly string[] };

/** Runs `dunlin serve` and waits until it is ready; it is ended when the test is. */
export async function spawnDaemon(t: Test, options: SpawnOptions = {}): Promise<DaemonProcess> {
  const dataDir = options.dataDir ?? folderOf(t);
  const args = [mainScript, 'serve', '--data', dataDir, '--listen', '127.0.0.1:0', ...(options.args ?? [])];
  const [command = process.execPath, ...prefix] = options.command ?? plainNode;
  const began = performance.now();
  const child = spawn(command, [...prefix, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, DUNLIN_CONFIG: '/dev/null', ...options.env },
  });
  // Until it is gone it may write into the folder that is taken away next.
  t.teardown(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  });
  const lines: Record<string, unknown>[] = [];
  let complaints = '';
  child.stderr?.on('data', (text) => {
    complaints += text;
  });
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (text) => {
      const line = readLine(text);
      lines.push(line);
      if (line.msg === 'ready') resolve(String(line.url));
    });
    child.once('exit', (code) =>
      reject(new Error(`the daemon ended with ${code}: ${complaints} ${JSON.stringify(lines.slice(-3))}`)),
    );
  });
  return new DaemonProcess(child, { url, dataDir, lines, startMs: performance.now() - began });
}
