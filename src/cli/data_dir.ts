import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, type ConfigFlags, readConfig } from '../host/config.ts';
import { notFound } from '../model/fault.ts';
import type { Io } from './io.ts';

/** Finds the data folder as the daemon would. If the configuration is invalid, prints its problems and returns null. */
export function dataDirOf({ config, data }: ConfigFlags, io: Io): string | null {
  // A named folder needs no configuration, so the command works even if the configuration is invalid.
  return data ?? configOf({ config }, io)?.data.dir ?? null;
}

/** Reads the configuration as the daemon would. If it is invalid, prints its problems and returns null. */
export function configOf(flags: ConfigFlags, io: Io): Config | null {
  const found = readConfig(flags);
  for (const problem of found.problems) io.err(problem);
  return found.config;
}

/** Throws a Fault if a folder has no state.db: then the person most often means another folder. */
export function requireState(dataDir: string): void {
  if (existsSync(join(dataDir, 'state.db'))) return;
  const sentence = `there is no state.db in ${dataDir}: name the data folder with --data, or its configuration with --config`;
  throw notFound(sentence);
}
