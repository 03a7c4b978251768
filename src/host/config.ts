import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Fault, sentenceOf } from '../model/fault.ts';
import type { Setting } from '../model/setting.ts';
import { isLoopback, parseHostPort } from './config/fields.ts';
import { checkLinks } from './config/link_checks.ts';
import { parseLinkSpec } from './config/link_flag.ts';
import { type LoadedConfig, loadConfig } from './config/load.ts';
import { checkOutlets } from './config/outlet_checks.ts';
import { parseOutletSpec } from './config/outlet_flag.ts';
import type { Config } from './config/schema.ts';
import { configSettings } from './config/settings.ts';

export { hostNameField, isLoopback, type Network, parseHostPort, parseNetwork } from './config/fields.ts';
export { parseLinkSpec } from './config/link_flag.ts';
export { type Config, configSchema, defaultConfig } from './config/schema.ts';

/** Flags of the command line. `data` and `listen` override the file; `link` and `outlet` add rows to its lists. */
export type ConfigFlags = {
  config?: string | undefined;
  data?: string | undefined;
  listen?: string | undefined;
  link?: readonly string[] | undefined;
  outlet?: readonly string[] | undefined;
};

export type Environment = Readonly<Record<string, string | undefined>>;

/** Access to files as a dependency, so that tests need no file system. */
export type ConfigFiles = { exists(path: string): boolean; read(path: string): string };

const realFiles: ConfigFiles = { exists: existsSync, read: (path) => readFileSync(path, 'utf8') };

/** A configuration with the path of its file. `file` is null if no file was found, so that the defaults apply. */
export type FoundConfig = LoadedConfig & { file: string | null; settings: () => readonly Setting[] };

/**
 * Returns the path of the configuration file: `--config`, else DUNLIN_CONFIG, else the first existing file of
 * config/dunlin.yaml in the working directory and /etc/dunlin/dunlin.yaml. Null means that the defaults apply.
 */
function findConfig(flags: ConfigFlags, env: Environment, files: ConfigFiles = realFiles): string | null {
  const named = flags.config ?? (env.DUNLIN_CONFIG || undefined);
  if (named !== undefined) return named;
  return ['config/dunlin.yaml', '/etc/dunlin/dunlin.yaml'].find((path) => files.exists(path)) ?? null;
}

/**
 * Reads the effective configuration of the daemon: the file, changed by environment variables and flags
 * (`ConfigFlags`).
 */
export function readConfig(
  flags: ConfigFlags = {},
  env: Environment = process.env,
  files: ConfigFiles = realFiles,
): FoundConfig {
  const file = findConfig(flags, env, files);
  const loaded = file === null ? loadConfig({ file: '', text: '' }) : loadFile(file, files);
  if (!loaded.ok) return { ...loaded, file, settings: () => [] };
  const { config, problems } = override(loaded.config, flags, env);
  if (problems.length > 0)
    return { ok: false, config: null, problems, warnings: loaded.warnings, file, settings: () => [] };
  const settings = (): Setting[] =>
    configSettings({ config, file, fromFile: loaded.config, overridden: overriders(flags, env) });
  return { ...loaded, config, warnings: [...loaded.warnings, ...plainListenWarnings(config.http)], file, settings };
}

/** Returns a warning if other machines can reach the service without TLS, so that secrets are sent unencrypted. */
function plainListenWarnings({ listen, tls }: Config['http']): string[] {
  if (tls !== null || isLoopback(listen)) return [];
  return [
    `http.listen ${listen}: other machines reach it without TLS, so passwords, keys and positions cross the network unencrypted; ` +
      'set http.tls (docs/use/lan.md describes how to make a certificate)',
  ];
}

function loadFile(file: string, files: ConfigFiles): LoadedConfig {
  let text: string;
  try {
    text = files.read(file);
  } catch (thrown) {
    const problem = `the configuration ${file} cannot be read: ${readFault(thrown)}`;
    return { ok: false, config: null, problems: [problem], warnings: [] };
  }
  return loadConfig({ file, text });
}

const readFaults: Record<string, string> = {
  ENOENT: 'there is no such file',
  EACCES: 'permission denied',
  EISDIR: 'it is a folder',
};

function readFault(thrown: unknown): string {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
  return readFaults[code] ?? sentenceOf(thrown);
}

function override(config: Config, flags: ConfigFlags, env: Environment): { config: Config; problems: string[] } {
  const problems: string[] = [];
  const listen = flags.listen ?? config.http.listen;
  if (parseHostPort(listen) === null)
    problems.push(`--listen ${listen}: must be HOST:PORT, for example 127.0.0.1:8077`);
  const added = (flags.link ?? []).flatMap((text) => given(() => parseLinkSpec(text), problems));
  const links = [...config.links, ...added];
  for (const found of checkLinks(links, listen)) {
    const flag = found.index < config.links.length ? '--listen' : '--link';
    problems.push(`${flag}: ${links[found.index]?.name}: ${found.key}: ${found.sentence}`);
  }
  const outlets = [
    ...config.outlets,
    ...(flags.outlet ?? []).flatMap((text) => given(() => parseOutletSpec(text), problems)),
  ];
  for (const { index, key, sentence } of checkOutlets(outlets))
    problems.push(`--outlet: ${outlets[index]?.name}: ${key}: ${sentence}`);
  const dir = flags.data ?? (env.DUNLIN_DATA || config.data.dir);
  return {
    config: { ...config, http: { ...config.http, listen }, data: { ...config.data, dir }, links, outlets },
    problems,
  };
}

/**
 * Returns the flag or variable that overrides the file, for each of `http.listen` and `data.dir` that is overridden.
 */
function overriders(flags: ConfigFlags, env: Environment): Record<string, string> {
  const dir = flags.data !== undefined ? '--data' : env.DUNLIN_DATA ? 'DUNLIN_DATA' : undefined;
  return {
    ...(flags.listen === undefined ? {} : { 'http.listen': '--listen' }),
    ...(dir === undefined ? {} : { 'data.dir': dir }),
  };
}

/**
 * Returns the result of `read` in an array. If `read` throws a Fault, adds its sentence to `problems` and returns [].
 */
function given<T>(read: () => T, problems: string[]): T[] {
  try {
    return [read()];
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown;
    problems.push(thrown.message);
    return [];
  }
}

/**
 * Returns the path of the file with the key that seals secrets: DUNLIN_SECRET_KEY_FILE, else the systemd credential
 * `secret_key` if the unit has it, else null.
 */
export function secretKeyFile(env: Environment = process.env, files: ConfigFiles = realFiles): string | null {
  if (env.DUNLIN_SECRET_KEY_FILE) return env.DUNLIN_SECRET_KEY_FILE;
  const folder = env.CREDENTIALS_DIRECTORY;
  if (!folder) return null;
  const credential = join(folder, 'secret_key');
  return files.exists(credential) ? credential : null;
}
