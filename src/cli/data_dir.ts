import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, type ConfigFlags, readConfig } from '../host/config.ts';
import { notFound } from '../model/fault.ts';
import type { Io } from './io.ts';

/** The data folder that a command works on, as the daemon would find it; null, after saying why, where it cannot. */
export function dataDirOf({ config, data }: ConfigFlags, io: Io): string | null {
  // A folder that is named needs no configuration, and is served also where that is broken.
  return data ?? configOf({ config }, io)?.data.dir ?? null;
}

/** The configuration as the daemon would find it; null, after saying why, where it cannot be used. */
export function configOf(flags: ConfigFlags, io: Io): Config | null {
  const found = readConfig(flags);
  for (const problem of found.problems) io.err(problem);
  return found.config;
}

/** Throws a Fault that names a folder without a daemon's state: most often another folder is meant. */
export function requireState(dataDir: string): void {
  if (existsSync(join(dataDir, 'state.db'))) return;
  const sentence = `there is no state.db in ${dataDir}: name the data folder with --data, or its configuration with --config`;
  throw notFound(sentence);
}
