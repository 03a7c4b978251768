/**
 * Runs the compiled test files and prints what failed. A file has a process of its own, or shares it with some others
 * (`batches.ts`). Arguments name files or folders; all
 * without, but for those that are marked for the full run. `--changed`, or `--changed=REVISION`, runs those that a change
 * reaches; `--full` runs every file, with the large properties at their full size. The last line is 'N passed, N failed, N skipped', counted in assertions; the exit code says the same. Failures
 * before it, as of the lint, are counted by FAILED_BEFORE.
 *
 * The runner of tap itself loads module hooks for coverage and mocks into each process: 0.8 s of CPU time for a file that
 * imports the world, a fifth of the whole run.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { type Batch, batchesOf, isOnlyInFull } from './batches.ts';
import { changedTests } from './changed_tests.ts';

const RESULTS = 'build/test-results';
/** Folders of tests stand in memory where there is room: half of the time of a small database is its disk. */
const MEMORY = '/dev/shm';
const MEMORY_BYTES = 4e9;
/** Processes at once that compute, and those that wait. One of five seconds of a computing process is idle too. */
const COMPUTING = availableParallelism();
const WAITING = 2 * availableParallelism();
/** A process that is told to end reports the test that it was in. */
const ENDS_WITHIN_MS = 5_000;

type Counts = { passed: number; failed: number; skipped: number };
type Result = Counts & { name: string; tookS: number; failures: string[] };

function temporaryFolder(): string {
  if (!existsSync(MEMORY)) return tmpdir();
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= MEMORY_BYTES ? MEMORY : tmpdir();
}

function filesOf(names: readonly string[]): string[] {
  const all = readdirSync('build/test', { recursive: true, encoding: 'utf8' });
  const tests = all.filter((name) => name.endsWith('.test.js')).map((name) => join('build/test', name));
  if (names.length === 0) return tests;
  const wanted = names.map((name) => {
    const path = relative('.', resolve(name)).replace(/\.ts$/, '.js');
    return path.startsWith('build/') ? path : join('build', path);
  });
  const missing = wanted.filter((name) => !tests.some((test) => test === name || test.startsWith(`${name}/`)));
  if (missing.length > 0) {
    console.log(`FAILED there is no test ${missing.join(', ')}`);
    return [];
  }
  return tests.filter((test) => wanted.some((name) => test === name || test.startsWith(`${name}/`)));
}

function run({ files, timeoutS }: Batch): Promise<Result> {
  const [first = ''] = files;
  const name = files.length === 1 ? first : `${first} and ${files.length - 1} more`;
  const began = performance.now();
  const path = join(RESULTS, first.replace('build/test/', '').replace(/\.js$/, '.tap'));
  mkdirSync(dirname(path), { recursive: true });
  const log = createWriteStream(path);
  // No session of its own: a pseudo-terminal that a test opens would become its terminal, and hang it up when it closes.
  const batch = files.length === 1 ? {} : { TAP_BATCH: String(files.length) };
  const env = { ...process.env, TAP_TIMEOUT: String(timeoutS), ...batch };
  const args = files.length === 1 ? [first] : ['build/scripts/test_batch.js', ...files];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], env });
  const reading = new Reading();
  let timeout = endAfter(child, timeoutS * 1_000, reading);
  child.stderr?.on('data', (text) => log.write(text));
  createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
    log.write(`${line}\n`);
    const given = /^# timeout=(\d+)$/.exec(line)?.[1];
    if (given !== undefined) {
      clearTimeout(timeout);
      timeout = endAfter(child, Number(given), reading);
    }
    reading.take(line);
  });
  return new Promise((resolve) => {
    child.once('close', (code, signal) => {
      clearTimeout(timeout);
      log.end();
      resolve({ name, tookS: (performance.now() - began) / 1_000, ...reading.resultOf(code ?? signal) });
    });
  });
}

function endAfter(child: ChildProcess, ms: number, reading: Reading): NodeJS.Timeout {
  return setTimeout(() => {
    reading.failures.push(`not ok - the process did not end within ${ms / 1_000} s`);
    child.kill('SIGTERM');
    setTimeout(() => child.kill('SIGKILL'), ENDS_WITHIN_MS).unref();
  }, ms);
}

/** Output of one process: its counts, and each failed assertion with its diagnostics. */
class Reading {
  readonly failures: string[] = [];
  #counts: Counts | null = null;
  #isInFailure = false;

  take(line: string): void {
    const counts = /^# \{ total: \d+, (.*) \}$/.exec(line)?.[1];
    if (counts !== undefined) {
      const of = (name: string): number => Number(new RegExp(`${name}: (\\d+)`).exec(counts)?.[1] ?? 0);
      this.#counts = { passed: of('pass'), failed: of('fail'), skipped: of('skip') + of('todo') };
    }
    if (/^\s*not ok /.test(line)) this.#isInFailure = true;
    else if (/^\s*(?:ok |# Subtest)/.test(line)) this.#isInFailure = false;
    if (this.#isInFailure) this.failures.push(line);
    if (/^\s*\.\.\.$/.test(line)) this.#isInFailure = false;
  }

  resultOf(code: number | string | null): Counts & { failures: string[] } {
    const counts = this.#counts ?? { passed: 0, failed: 0, skipped: 0 };
    const isBroken = code !== 0 || this.#counts === null || this.failures.length > 0;
    if (isBroken && this.failures.length === 0) this.failures.push(`not ok - the process ended with ${code}`);
    return { ...counts, failed: isBroken ? Math.max(1, counts.failed) : counts.failed, failures: this.failures };
  }
}

async function runAll(files: readonly string[]): Promise<Result[]> {
  const batches = batchesOf(files).sort((a, b) => b.timeoutS - a.timeoutS);
  const [waiting, computing] = [batches.filter(({ waits }) => waits), batches.filter(({ waits }) => !waits)];
  const results: Result[] = [];
  const worker = async (first: Batch[], then: Batch[]): Promise<void> => {
    const next = (): Batch | undefined => first.shift() ?? then.shift();
    for (let batch = next(); batch !== undefined; batch = next()) {
      const result = await run(batch);
      results.push(result);
      if (result.failed > 0) {
        const { name, tookS, failures } = result;
        console.log(`FAILED ${name} after ${tookS.toFixed(1)} s\n${failures.slice(0, 200).join('\n')}`);
      } else if (process.stdout.isTTY) console.log(`${results.length}/${batches.length} ${result.name}`);
    }
  };
  await Promise.all([
    ...Array.from({ length: WAITING }, (_, n) => worker(waiting, n === 0 ? computing : [])),
    ...Array.from({ length: COMPUTING }, () => worker(computing, waiting)),
  ]);
  return results;
}

/** Without names: the files of each day, or all with `--full`. A file that is named runs. */
function chosen(files: readonly string[], isAll: boolean): string[] {
  const left = isAll ? [] : files.filter(isOnlyInFull);
  if (left.length > 0) console.log(`left out: ${left.length} long files (scripts/test --full runs them)`);
  return files.filter((file) => !left.includes(file));
}

async function reachedBy(revision: string, files: readonly string[]): Promise<string[]> {
  const sourceOf = (file: string): string => file.replace(/^build\/(.*)\.js$/, '$1.ts');
  const { files: reached, daemons } = await changedTests(files.map(sourceOf), revision);
  console.log(`${reached.length} of ${files.length} test files are reached by the change`);
  if (daemons > 0) console.log(`left out: ${daemons} that start the program (scripts/test runs them)`);
  return files.filter((file) => reached.includes(sourceOf(file)));
}

async function main(): Promise<void> {
  // A bare `--changed` means what is not committed yet.
  const args = process.argv.slice(2).map((arg) => (arg === '--changed' ? '--changed=HEAD' : arg));
  const options = { changed: { type: 'string' }, full: { type: 'boolean' } } as const;
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  if (values.full) process.env.DUNLIN_TEST_SIZE = 'full';
  const named = filesOf(positionals);
  const wanted = values.changed === undefined ? named : await reachedBy(values.changed, named);
  rmSync(RESULTS, { recursive: true, force: true });
  const temporary = mkdtempSync(join(temporaryFolder(), 'dunlin-tests-'));
  process.env.TMPDIR = temporary;
  const results = await runAll(chosen(wanted, values.full === true || positionals.length > 0));
  rmSync(temporary, { recursive: true, force: true });
  const slowest = [...results].sort((a, b) => b.tookS - a.tookS).slice(0, 10);
  console.log(`slowest: ${slowest.map(({ name, tookS }) => `${name.slice(11)} ${tookS.toFixed(0)} s`).join(', ')}`);
  const sum = (of: keyof Counts): number => results.reduce((total, result) => total + result[of], 0);
  const failed = Number(process.env.FAILED_BEFORE ?? 0) + (named.length === 0 ? 1 : sum('failed'));
  console.log(`${sum('passed')} passed, ${failed} failed, ${sum('skipped')} skipped`);
  process.exitCode = failed === 0 ? 0 : 1;
}

try {
  await main();
} catch (thrown) {
  console.log(thrown instanceof Error ? thrown.message : String(thrown));
  console.log('0 passed, 1 failed');
  process.exitCode = 1;
}
