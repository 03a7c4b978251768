import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Fault } from '../../src/model/fault.ts';

const run = promisify(execFile);

/** Scenarios with truth, the generator, the scorer and a reference; scripts/bench runs in the project's root. */
export const trackingFolder = join(process.cwd(), '../shared/tracking');
const scenarioFolder = join(trackingFolder, 'scenarios');

/** A scenario as it lies there, or made anew of its kind where a seed is given. */
export type TrackingScenario = { name: string; seed: number | null };

/** Why scenarios cannot be run here; null where they can. */
export async function whatIsMissing(): Promise<string | null> {
  if (!existsSync(scenarioFolder)) return 'the tracking scenarios are not here';
  if (!(await works('zstd', '--version'))) return 'zstd is missing: install the package zstd';
  for (const name of ['numpy', 'scipy']) {
    if (!(await works('python3', '-c', `import ${name}`))) return `python3 has no ${name}: install python3-${name}`;
  }
  return null;
}

/** All scenarios, or those of `only`; once for each of the seeds, or as they lie there without seeds. */
export function trackingScenarios(only: readonly string[], seeds: readonly number[]): TrackingScenario[] {
  const all = readdirSync(scenarioFolder).sort();
  const unknown = only.filter((name) => !all.includes(name));
  if (unknown.length > 0)
    throw new Fault('invalid_input', `There is no scenario ${unknown.join(', ')}; there are ${all.join(', ')}.`);
  const names = all.filter((name) => only.length === 0 || only.includes(name));
  return (seeds.length === 0 ? [null] : seeds).flatMap((seed) => names.map((name) => ({ name, seed })));
}

/** The scenario's folder, with its site.json; one that has to be made goes into `folder`. */
export async function folderOf({ name, seed }: TrackingScenario, folder: string): Promise<string> {
  if (seed === null) return join(scenarioFolder, name);
  const generator = join(trackingFolder, 'gen.py');
  await run('python3', ['-B', generator, folder, '--seed-base', String(seed), '--only', name], { maxBuffer: 1e8 });
  const made = join(folder, name);
  const { duration_s, origin, sensors } = JSON.parse(readFileSync(join(made, 'meta.json'), 'utf8'));
  writeFileSync(join(made, 'site.json'), JSON.stringify({ name, duration_s, origin, sensors }));
  return made;
}

function works(command: string, ...args: string[]): Promise<boolean> {
  return run(command, args).then(
    () => true,
    () => false,
  );
}
