import { type Config, type Environment, type FoundConfig, readConfig } from '../host/config.ts';
import { readArguments, type Values, wrongUse } from './arguments.ts';
import { certificateProblem } from './certificate.ts';
import { exits, type Io } from './io.ts';

const help = `Usage: dunlin check-config [FILE]

Reads the configuration as the daemon would, and prints all its problems, including a missing certificate.

  FILE           the file; without it DUNLIN_CONFIG, config/dunlin.yaml, /etc/dunlin/dunlin.yaml
  --config FILE  the same as FILE
  --help         this text

Exit codes: 0 no problems, 2 wrong use, 78 bad configuration.`;

const options = { config: { type: 'string' } } as const;

/** Runs `dunlin check-config`. Returns the exit code. */
export function checkConfigCommand(argv: readonly string[], io: Io, env: Environment = process.env): number {
  const flags = readArguments(argv, { name: 'check-config', help, options, read }, io);
  return typeof flags === 'number' ? flags : report(readConfig(flags, env), io);
}

function read([file, ...more]: readonly string[], { config }: Values<typeof options>) {
  if (more.length > 0) throw wrongUse(`name only one file: '${more[0]}' is the second one`);
  if (file !== undefined && config !== undefined)
    throw wrongUse(`'${file}' and --config ${config} are two files: name only one`);
  return { config: file ?? config };
}

function report(found: FoundConfig, io: Io): number {
  for (const warning of found.warnings) io.err(`warning: ${warning}`);
  const problems = problemsOf(found);
  for (const sentence of problems) io.err(sentence);
  if (!found.ok || problems.length > 0) return exits.badConfiguration;
  io.out(`ok: ${found.file ?? 'no configuration file: the defaults apply'}: ${summary(found.config)}`);
  return exits.done;
}

/** Returns a sentence for each problem that prevents a start with this configuration, including its certificate. */
export function problemsOf(found: FoundConfig): readonly string[] {
  const problem = found.ok ? certificateProblem(found.config.http.tls) : null;
  return problem === null ? found.problems : [problem];
}

function summary({ http, data, links, sensors }: Config): string {
  const scheme = http.tls === null ? 'http' : 'https';
  return `serves ${scheme}://${http.listen}, keeps data in ${data.dir}, ${many(links.length, 'link')}, ${many(sensors.length, 'sensor')}`;
}

function many(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
