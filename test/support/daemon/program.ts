import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Test } from 'tap';

/** The program that tests start: its bundle where `scripts/test` names it, else the modules as compiled. */
export const mainScript = process.env.DUNLIN_MAIN ?? fileURLToPath(new URL('../../../src/main.js', import.meta.url));

/**
 * The command that runs Node without the test runner. The test runner makes every Node process of a test load it too,
 * which doubles the start time of a daemon.
 */
export const plainNode: readonly string[] = nodeWith('');

/** The same with options of Node, as its environment gives them. */
export function nodeWith(options: string): readonly string[] {
  return ['env', `NODE_OPTIONS=${options}`, process.execPath];
}

export type Ended = { code: number | null; out: string; err: string; tookMs: number };

/** Runs `dunlin` with arguments and waits for its end, which must come by itself within `withinMs`. */
export async function runToEnd(
  t: Test,
  args: readonly string[],
  options: {
    env?: NodeJS.ProcessEnv;
    command?: readonly string[];
    cwd?: string;
    withinMs?: number;
    input?: string;
  } = {},
): Promise<Ended> {
  const [command = process.execPath, ...prefix] = options.command ?? plainNode;
  const beganMs = performance.now();
  const child = spawn(command, [...prefix, mainScript, ...args], {
    stdio: [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    env: { ...process.env, DUNLIN_CONFIG: '/dev/null', ...options.env },
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  });
  t.teardown(() => child.kill('SIGKILL'));
  child.stdin?.end(options.input);
  const said = { out: '', err: '' };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    said.out += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said.err += text;
  });
  const late = setTimeout(() => child.kill('SIGKILL'), options.withinMs ?? 60_000);
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(late);
  return { code, ...said, tookMs: performance.now() - beganMs };
}

/** The sentences of a log in JSON lines. */
export function sentencesOf(log: string): string[] {
  return log
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => String((JSON.parse(line.replace(/^<\d>/, '')) as { msg: unknown }).msg));
}

/**
 * The command of a daemon whose memory is measured. V8 lets garbage lie while there is room; with little room, what
 * still grows is what is held.
 */
export const smallHeap: readonly string[] = nodeWith('--max-old-space-size=96 --max-semi-space-size=2');

/** Resident memory of a process in MiB, as the kernel has it. */
export function rssMib(pid: number | undefined): number {
  const found = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  if (found === null) throw new Error(`process ${pid} has no memory: it has ended`);
  return Number(found[1]) / 1024;
}

/** The value of a metric, 0 where it is not on the page; labels are written as they stand there. */
export function metricOf(page: string, series: string): number {
  const line = page.split('\n').find((text) => text.startsWith(`${series} `));
  return line === undefined ? 0 : Number(line.slice(series.length + 1));
}

/** All values of a metric added up over its labels. */
export function metricSum(page: string, name: string): number {
  return page
    .split('\n')
    .filter((text) => text.startsWith(`${name} `) || text.startsWith(`${name}{`))
    .reduce((sum, text) => sum + Number(text.slice(text.lastIndexOf(' ') + 1)), 0);
}
