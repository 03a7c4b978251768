import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Cpu, cpuOf, daemonThreads, rssMb } from './process.ts';

const probeScript = new URL('./loop_probe.js', import.meta.url).href;
const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
// This script is build/scripts/bench-parts/daemon.js.
const unit = fileURLToPath(new URL('../../../systemd/dunlin.service', import.meta.url));

/** Node's options and the environment that the service starts with: they decide how much memory it holds. */
function asInService(): { options: string[]; env: NodeJS.ProcessEnv } {
  const text = readFileSync(unit, 'utf8');
  const options = /^ExecStart=\S+((?: --\S+)*) \S+main\.js/m.exec(text)?.[1]?.match(/\S+/g) ?? [];
  const env = Object.fromEntries(
    [...text.matchAll(/^Environment=(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
  );
  return { options, env: { ...process.env, ...env } };
}

/** A daemon in a process of its own with one UDP link, as it would run on a box. */
export type BenchDaemon = {
  url: string;
  port: number;
  /** Milliseconds from the start of the process to its line `ready`. */
  readyMs: number;
  /** CPU seconds of all its threads until then, of which other work on the machine takes nothing. */
  readyCpuS: number;
  cpu(): Cpu;
  rssMb(): number;
  /** The longest hold of its event loop since it was asked last; takes `probe`. */
  longestHoldMs(): Promise<number>;
  stop(): Promise<void>;
};

export type BenchDaemonOptions = { dataDir: string; config?: string; probe?: boolean };

/** Runs `use` with an empty folder that is gone afterwards. */
export async function inFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'dunlin-bench-'));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export async function withDaemon<T>(options: BenchDaemonOptions, use: (daemon: BenchDaemon) => Promise<T>): Promise<T> {
  const daemon = await startDaemon(options);
  try {
    return await use(daemon);
  } finally {
    await daemon.stop();
  }
}

export async function startDaemon({ dataDir, config = '', probe = false }: BenchDaemonOptions): Promise<BenchDaemon> {
  const file = join(dataDir, 'bench.yaml');
  writeFileSync(file, config);
  const link = 'name=bench,transport=udp,address=127.0.0.1:0,protocol=mavlink';
  const flags = ['--config', file, '--data', dataDir, '--listen', '127.0.0.1:0', '--link', link];
  const began = performance.now();
  const { options, env } = asInService();
  const holdFile = join(dataDir, 'longest_hold');
  if (probe) options.push('--import', probeScript);
  const child = spawn(process.execPath, [...options, main, 'serve', ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...env, DUNLIN_BENCH_HOLD_FILE: holdFile },
  });
  const url = await readyUrl(child);
  const readyMs = performance.now() - began;
  const pid = child.pid ?? 0;
  const { main: mainS, other: otherS } = cpuOf(pid, { core: undefined, history: undefined });
  const port = await linkPort(url);
  // What a daemon puts off until it is ready is not what is measured.
  await wait(500);
  const threads = daemonThreads(pid);
  return {
    url,
    port,
    readyMs,
    readyCpuS: mainS + otherS,
    cpu: () => cpuOf(pid, threads),
    rssMb: () => rssMb(pid),
    async longestHoldMs() {
      rmSync(holdFile, { force: true });
      child.kill('SIGUSR2');
      while (!existsSync(holdFile) || readFileSync(holdFile, 'utf8') === '') await wait(5);
      return Number(readFileSync(holdFile, 'utf8'));
    },
    async stop() {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    },
  };
}

function readyUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the daemon ended with ${code} before it was ready`)));
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      const { msg, url } = JSON.parse(line) as { msg: string; url?: string };
      if (msg === 'ready' && url) resolve(url);
    });
  });
}

async function linkPort(url: string): Promise<number> {
  for (let tries = 0; tries < 100; tries++) {
    const answer = (await (await fetch(`${url}/api/links`)).json()) as { data: { bound_to: string | null }[] };
    const place = answer.data[0]?.bound_to;
    if (place) return Number(place.slice(place.lastIndexOf(':') + 1));
    await wait(50);
  }
  throw new Error('the link of the daemon did not open');
}
