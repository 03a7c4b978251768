import { existsSync, realpathSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { resolve } from 'node:path';
import { type Config, type FoundConfig, parseHostPort, readConfig } from '../../host/config.ts';
import { invalidInput } from '../../model/fault.ts';
import { problemsOf } from '../check_config.ts';
import type { Box } from './box.ts';
import { replaceFile, textOf } from './files.ts';
import type { Opening } from './opening.ts';
import { changing, type Step } from './step.ts';
import { editConfig } from './yaml_edit.ts';

const DEFAULT_PORT = 8077;

/**
 * The configuration that the daemon would read, with path and text of its file. `text` is empty if there is no file.
 */
export type Current = { file: string; text: string; config: Config };

/** Finds and reads the configuration as `dunlin serve` does. Returns the list of problems if it is invalid. */
export function currentConfig(named: string | undefined, box: Box): Current | readonly string[] {
  const file = named ?? readConfig().file ?? box.paths.installed;
  const path = existsSync(file) ? realpathSync(file) : resolve(file);
  const found = existsSync(path) ? readConfig({ config: path }) : asRead(path, '');
  return found.ok ? { file: path, text: textOf(path) ?? '', config: found.config } : found.problems;
}

/** Reads a text as if it were the content of `file`. Environment variables apply as for the daemon. */
function asRead(file: string, text: string): FoundConfig {
  return readConfig({ config: file }, process.env, { exists: () => true, read: () => text });
}

/**
 * Returns the value of `http.listen` that lets consoles reach the box. The configured port is kept, but port 0 becomes
 * 8077. The configured host is kept if consoles can reach it and the port was not 0. Otherwise the service listens on
 * all addresses.
 */
export function listenFor(current: string, { addresses }: Opening): string {
  const { host, port } = parseHostPort(current) ?? { host: '127.0.0.1', port: 0 };
  const hasIpv6 = addresses.some((address) => isIPv6(address));
  const isReached =
    host === '::' || (host === '0.0.0.0' && !hasIpv6) || (addresses.length === 1 && host === addresses[0]);
  return isReached && port > 0 ? current : `${hasIpv6 ? '[::]' : '0.0.0.0'}:${port || DEFAULT_PORT}`;
}

export function configurationStep(
  { file, text, config }: Current,
  { opening, tls }: { opening: Opening; tls: NonNullable<Config['http']['tls']> },
): Step {
  const title = 'configuration';
  const listen = listenFor(config.http.listen, opening);
  const edited = editConfig(text, { listen, tls, name: opening.name });
  if (edited.changes.length === 0) return { title, lines: [`${file} stays`], change: null };
  const problems = asRead(file, edited.text).problems;
  if (problems.length > 0)
    throw invalidInput(`nothing was changed, because the changed ${file} would be invalid: ${problems.join('; ')}`);
  const kept = existsSync(file) ? `; the old file is kept as ${file}.before-open-network` : ', a new file';
  const lines = [`${file}${kept}`, ...edited.changes];
  return { title, lines, change: () => changing(file, () => replace(file, edited.text)) };
}

/**
 * Replaces the configuration file. The new text must first pass the checks of `dunlin check-config`, which include the
 * certificate.
 */
function replace(file: string, text: string): void {
  const problems = problemsOf(asRead(file, text));
  if (problems.length > 0)
    throw invalidInput(`${file} was not changed, because it would be invalid: ${problems.join('; ')}`);
  const before = textOf(file);
  if (before !== null) replaceFile(`${file}.before-open-network`, before, file);
  replaceFile(file, text);
}
