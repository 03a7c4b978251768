import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Environment, readConfig } from '../host/config.ts';
import { Fault } from '../model/fault.ts';
import type { Io } from './io.ts';

/** The data folder that a command works on, as the daemon would find it; null, after saying why, where it cannot. */
export function dataDirOf(
  flags: { config?: string | undefined; data?: string | undefined },
  io: Io,
  env: Environment = process.env,
): string | null {
  // A folder that is named needs no configuration, and is served also where that is broken.
  if (flags.data !== undefined) return flags.data;
  const found = readConfig(flags.config === undefined ? {} : { config: flags.config }, env);
  if (found.ok) return found.config.data.dir;
  for (const problem of found.problems) io.err(problem);
  return null;
}

/** Throws a Fault that names the folder where no daemon has kept its state in it: it is most often another folder that is meant. */
export function requireState(dataDir: string): void {
  if (existsSync(join(dataDir, 'state.db'))) return;
  const sentence = `there is no state.db in ${dataDir}: name the data folder with --data, or its configuration with --config`;
  throw new Fault('not_found', sentence);
}
