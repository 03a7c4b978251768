import { sentenceOf } from '../model/fault.ts';
import { type LogLevel, type LogLevelState, logLevelStateSchema, logLevels } from '../model/log_level.ts';
import { readArguments, type Values, wrongUse } from './arguments.ts';
import { callFor } from './daemon/call.ts';
import { checkUrl, daemonPlace, placeHelp, placeOptions } from './daemon/place.ts';
import { exits, type Io } from './io.ts';
import { printable } from './watch/printable.ts';

const help = `Usage: dunlin log-level [LEVEL] [--for MINUTES] [--url URL] [--key-file FILE] [--ca FILE]

Prints or sets the log level of the running daemon: trace, debug, info, warn, error or fatal. A set level applies until
the next change, until a restart, or for the given minutes; then the level of the configuration applies again. Each change
is recorded in the audit log. Only an owner can set the level.

  --for MINUTES    time after which the configured level applies again, 1 to 10080 min
${placeHelp}
  --help           this text

Exit codes: 0 done, 1 refused or not reached, 2 wrong use, 78 bad configuration.`;

const options = { ...placeOptions, for: { type: 'string' } } as const;

/** Runs `dunlin log-level`. Resolves with the exit code. */
export async function logLevelCommand(argv: readonly string[], io: Io): Promise<number> {
  const flags = readArguments(argv, { name: 'log-level', help, options, read }, io);
  if (typeof flags === 'number') return flags;
  try {
    const place = daemonPlace(flags, io);
    if (place === null) return exits.badConfiguration;
    const { spec } = flags;
    const request = {
      path: '/api/log-level',
      ...(spec ? { method: 'PUT' as const, body: spec } : { method: 'GET' as const }),
    };
    io.out(sentence(await callFor(place, request, logLevelStateSchema)));
    return exits.done;
  } catch (thrown) {
    io.err(`dunlin log-level: ${printable(sentenceOf(thrown))}`);
    return exits.failed;
  }
}

function read([level, ...more]: readonly string[], { for: minutes, ...flags }: Values<typeof options>) {
  checkUrl(flags.url);
  if (more.length > 0) throw wrongUse('name only one level');
  if (level === undefined) {
    if (minutes !== undefined) throw wrongUse('--for can only be used with a level');
    return { ...flags, spec: null };
  }
  if (!logLevels.includes(level as LogLevel))
    throw wrongUse(`'${level}' is not a log level: use one of ${logLevels.join(', ')}`);
  if (minutes !== undefined && !(/^\d{1,5}$/.test(minutes) && Number(minutes) >= 1 && Number(minutes) <= 10_080))
    throw wrongUse('--for must be a number of minutes from 1 to 10080');
  const spec = { level, ...(minutes !== undefined && { for_s: Number(minutes) * 60 }) };
  return { ...flags, spec };
}

function sentence({ level, configured, reverts_at }: LogLevelState): string {
  if (level === configured) return `the log level is ${level}, as configured`;
  const until = reverts_at === null ? 'until a restart' : `until ${reverts_at}`;
  return `the log level is ${level} ${until}; the level of the configuration is ${configured}`;
}
