import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Test } from 'tap';
import { folderOf } from '../basics/folder.ts';
import { mainScript, plainNode } from './program.ts';

export type Answer = {
  status: number;
  headers: Headers;
  body: { ok: boolean; data?: unknown; error?: string; code?: string };
};

/** A real daemon in a process of its own, on a free port, with its own data folder. */
export class Daemon {
  readonly process: ChildProcess;
  readonly url: string;
  readonly dataDir: string;
  /** Every line it logged, as JSON where it is that. */
  readonly lines: Record<string, unknown>[];
  readonly startMs: number;

  constructor(process: ChildProcess, url: string, dataDir: string, lines: Record<string, unknown>[], startMs: number) {
    this.process = process;
    this.url = url;
    this.dataDir = dataDir;
    this.lines = lines;
    this.startMs = startMs;
  }

  async request(path: string, init: RequestInit = {}): Promise<Answer> {
    const response = await fetch(this.url + path, init);
    return { status: response.status, headers: response.headers, body: (await response.json()) as Answer['body'] };
  }

  /** The `data` of a GET that must succeed. */
  async get<T>(path: string): Promise<T> {
    const { status, body } = await this.request(path);
    if (!body.ok) throw new Error(`GET ${path}: ${status} ${body.error}`);
    return body.data as T;
  }

  post(path: string, body: unknown): Promise<Answer> {
    return this.request(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  }

  /** The port that the link of this name listens on. */
  async port(link: string): Promise<number> {
    const found = await until(async () => {
      const links = await this.get<{ name: string; bound_to: string | null }[]>('/api/links');
      return links.find((row) => row.name === link)?.bound_to ?? null;
    }, `link ${link} is open`);
    return Number(found.slice(found.lastIndexOf(':') + 1));
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

/** Runs `dunlin` and waits until it is ready; it is ended when the test is. */
export async function startDaemon(
  t: Test,
  options: { dataDir?: string; args?: string[]; env?: NodeJS.ProcessEnv; command?: readonly string[] } = {},
): Promise<Daemon> {
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
  return new Daemon(child, url, dataDir, lines, performance.now() - began);
}

function readLine(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text.replace(/^<\d>/, '')) as Record<string, unknown>;
  } catch {
    return { text };
  }
}

/** Longest time between two questions: a flight of a minute is not asked for 3 000 times. */
const ASKED_EVERY_MS = 100;

/** Asks again until there is an answer, at first often; fails with what was waited for. */
export async function until<T>(
  ask: () => Promise<T | null | undefined | false>,
  what: string,
  withinMs = 10_000,
): Promise<T> {
  const deadline = performance.now() + withinMs;
  for (let pauseMs = 20; ; pauseMs = Math.min(ASKED_EVERY_MS, pauseMs * 1.2)) {
    const answer = await ask();
    if (answer) return answer;
    if (performance.now() > deadline) throw new Error(`within ${withinMs} ms it did not come to pass that ${what}`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
