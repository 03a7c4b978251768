import { type Config, type Environment, type FoundConfig, readConfig } from '../host/config.ts';
import { flagsAlone, readArguments } from './arguments.ts';
import { exits, type Io } from './io.ts';

const help = `Usage: dunlin check-config [--config FILE]

Reads the configuration as the daemon would and says everything that is wrong with it.

  --config FILE  the file; without it DUNLIN_CONFIG, config/dunlin.yaml, /etc/dunlin/dunlin.yaml
  --help         this text

Exit codes: 0 good, 2 wrong use, 78 bad configuration.`;

const options = { config: { type: 'string' } } as const;

/** `dunlin check-config`: answers the exit code. */
export function checkConfigCommand(argv: readonly string[], io: Io, env: Environment = process.env): number {
  const flags = readArguments(argv, { name: 'check-config', help, options, read: flagsAlone }, io);
  return typeof flags === 'number' ? flags : report(readConfig(flags, env), io);
}

function report(found: FoundConfig, io: Io): number {
  for (const warning of found.warnings) io.err(`warning: ${warning}`);
  if (found.ok) {
    io.out(`ok: ${found.file ?? 'no file, the defaults hold'}: ${summary(found.config)}`);
    return exits.done;
  }
  for (const problem of found.problems) io.err(problem);
  return exits.badConfiguration;
}

function summary({ http, data, links, sensors }: Config): string {
  const scheme = http.tls === null ? 'http' : 'https';
  return `serves ${scheme}://${http.listen}, keeps data in ${data.dir}, ${many(links.length, 'link')}, ${many(sensors.length, 'sensor')}`;
}

function many(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
