import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import type { Test } from 'tap';
import { folderOf } from '../basics/folder.ts';
import { exchange } from '../http/exchange.ts';
import { mainScript } from './program.ts';

export type Answer = {
  status: number;
  headers: Headers;
  body: { ok: boolean; data?: unknown; error?: string; code?: string };
};

/** A real daemon on a free port, with its own data folder. */
export abstract class Daemon {
  readonly url: string;
  readonly dataDir: string;
  /** Every line it logged, as JSON where it is that. */
  readonly lines: Record<string, unknown>[];

  constructor(url: string, dataDir: string, lines: Record<string, unknown>[]) {
    this.url = url;
    this.dataDir = dataDir;
    this.lines = lines;
  }

  async request(path: string, init: RequestInit = {}): Promise<Answer> {
    const { status, headers, text } = await exchange(this.url + path, init);
    return { status, headers, body: JSON.parse(text) as Answer['body'] };
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

  /** Stops it in order and resolves with its exit code. */
  abstract end(): Promise<number | null>;
}

export type StartOptions = {
  dataDir?: string;
  args?: string[];
  /** Variables of the environment while it starts. */
  env?: Readonly<Record<string, string>>;
};

/** The parts of the program that `serve` puts together. */
type Program = typeof import('../../../src/daemon/daemon.ts') &
  typeof import('../../../src/host/config.ts') &
  typeof import('../../../src/host/journal.ts');

let program: Promise<Program> | undefined;

async function loadProgram(): Promise<Program> {
  const parts = ['daemon/daemon.js', 'host/config.js', 'host/journal.js'];
  const loaded = await Promise.all(parts.map((part) => import(new URL(part, pathToFileURL(mainScript)).href)));
  return Object.assign({}, ...loaded) as Program;
}

/** A daemon in the process of the test: with the threads, files and sockets that it has in its own, but without signals. */
class DaemonHere extends Daemon {
  readonly #stop: () => Promise<number>;

  constructor(url: string, dataDir: string, lines: Record<string, unknown>[], stop: () => Promise<number>) {
    super(url, dataDir, lines);
    this.#stop = stop;
  }

  end(): Promise<number> {
    return this.#stop();
  }
}

const flags = {
  config: { type: 'string', default: '/dev/null' },
  listen: { type: 'string', default: '127.0.0.1:0' },
  link: { type: 'string', multiple: true },
  outlet: { type: 'string', multiple: true },
  demo: { type: 'boolean', default: false },
} as const;

/**
 * Starts a daemon in the process of the test, which is stopped with it. A start costs a third of the CPU time of a process;
 * tests of signals, memory, clocks and locks spawn one (`spawnDaemon`).
 */
export async function startDaemon(t: Test, options: StartOptions = {}): Promise<Daemon> {
  program ??= loadProgram();
  const { createDaemon, readConfig, createJournal } = await program;
  const dataDir = options.dataDir ?? folderOf(t);
  const { values } = parseArgs({ args: options.args ?? [], options: flags });
  const { ok, config, problems, settings } = readConfig({ ...values, data: dataDir });
  if (!ok) throw new Error(problems.join('; '));
  const lines: Record<string, unknown>[] = [];
  const journal = createJournal({ level: config.log.level, write: (line) => void lines.push(readLine(line)) });
  const onFatal = (sentence: string): void => void t.fail(`the daemon would end: ${sentence}`);
  const daemon = createDaemon(config, journal, onFatal, { settings, demo: values.demo });
  t.teardown(() => daemon.stop());
  const url = await within(options.env ?? {}, () => daemon.start());
  return new DaemonHere(String(url), dataDir, lines, () => daemon.stop());
}

/** Does something with variables in the environment of this process, which has those that it had afterwards. */
export async function within<T>(env: Readonly<Record<string, string>>, act: () => Promise<T>): Promise<T> {
  const before = { ...process.env };
  Object.assign(process.env, env);
  try {
    return await act();
  } finally {
    for (const name of Object.keys(env)) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
  }
}

/** A line of the log; `text` where it is no JSON. */
export function readLine(text: string): Record<string, unknown> {
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
  withinMs = 60_000,
): Promise<T> {
  const deadline = performance.now() + withinMs;
  for (let pauseMs = 20; ; pauseMs = Math.min(ASKED_EVERY_MS, pauseMs * 1.2)) {
    const answer = await ask();
    if (answer) return answer;
    if (performance.now() > deadline) throw new Error(`within ${withinMs} ms it did not come to pass that ${what}`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
