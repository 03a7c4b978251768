import { parseArgs } from 'node:util';
import { runFlood } from './soak-parts/flood.ts';
import { runHeadquarters } from './soak-parts/headquarters/run.ts';
import { report, runHours } from './soak-parts/hours/run.ts';
import { readSamples } from './soak-parts/hours/samples.ts';
import { judgeTogether } from './soak-parts/hours/verdict.ts';
import { runKills } from './soak-parts/kills/run.ts';
import { runMixed } from './soak-parts/mixed/run.ts';

const usage = `usage:
  scripts/soak --hours N [--load FACTOR] [--seed N] [--out FOLDER]
  scripts/soak pool FOLDER...
  scripts/soak kills --rounds N [--seed N]
  scripts/soak flood [SECONDS]
  scripts/soak headquarters [--seed N]
  scripts/soak [MINUTES]`;

const options = {
  hours: { type: 'string' },
  load: { type: 'string', default: '1' },
  rounds: { type: 'string', default: '100' },
  seed: { type: 'string' },
  out: { type: 'string' },
} as const;

async function main(): Promise<number> {
  const asked = argumentsOf();
  if (asked === null) return misused();
  const { values, positionals } = asked;
  const [kind, amount] = positionals;
  const seed = Number(values.seed ?? Math.floor(Math.random() * 0x7fffffff));
  const numbers = [Number(values.hours ?? 1), Number(values.load), Number(values.rounds)];
  if (!numbers.every((number) => number > 0) || !Number.isInteger(seed)) return misused();
  const [hours = 1, load = 1, rounds = 1] = numbers;
  const ends: (() => unknown)[] = [];
  const owner = { teardown: (act: () => unknown) => void ends.push(act) };
  // A daemon that outlives its soak would hold its folder and its ports.
  if (kind !== 'kills') for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => endAll(ends));
  try {
    if (values.hours !== undefined)
      return codeOf(await runHours(owner, { hours, load, seed, out: values.out ?? null }));
    if (kind === 'pool') return pool(positionals.slice(1));
    if (kind === 'kills') return codeOf(await runKills({ rounds: Math.ceil(rounds), seed }));
    if (kind === 'headquarters') return codeOf(await runHeadquarters(owner, seed));
    if (kind === 'flood') return codeOf(await runFlood(owner, Number(amount ?? 60)));
    const minutes = Number(kind ?? 10);
    return minutes > 0 ? codeOf(await runMixed(owner, minutes)) : misused();
  } finally {
    for (const end of ends.reverse()) await end();
  }
}

function pool(folders: readonly string[]): number {
  return folders.length > 0 ? codeOf(report(judgeTogether(folders.map(readSamples)), null)) : misused();
}

/** Returns null for an option that is unknown, such as --help. */
function argumentsOf() {
  try {
    return parseArgs({ options, allowPositionals: true });
  } catch {
    return null;
  }
}

async function endAll(ends: (() => unknown)[]): Promise<never> {
  for (const end of ends.reverse()) await end();
  process.exit(130);
}

const codeOf = (held: boolean): number => (held ? 0 : 1);

function misused(): number {
  console.error(usage);
  return 2;
}

process.exit(await main());
