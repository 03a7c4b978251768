import { parseArgs } from 'node:util';
import { readConfig } from '../../host/config.ts';
import { sentenceOf } from '../../model/fault.ts';
import { exits, type Io } from '../io.ts';
import { checkAddon, checkClock, checkSecretKey, checkSystemd } from './box_checks.ts';
import { checkDatabases, checkDisk, checkFolder, isInUse, storedLinks } from './data_checks.ts';
import { type Finding, ok, wrong } from './finding.ts';
import { checkLinks, checkListen } from './way_checks.ts';

const help = `Usage: dunlin doctor [--config FILE] [--data DIR] [--listen HOST:PORT] [--json]

Looks at the box as the daemon would find it (configuration, native addon, data folder, disk, databases, ports, devices,
clock, systemd), and says what to do. Run it as the daemon's user. Nothing is changed; the daemon may run meanwhile.

  --config FILE  the configuration, found as 'dunlin serve' finds it
  --data DIR     the data folder; without it, that of the configuration
  --listen HOST:PORT  where HTTP is served, where that is not the configuration's
  --json         the findings as JSON
  --help         this text

Exit codes: 0 nothing is wrong (warnings may be told), 1 something is, 2 wrong use.`;

const options = {
  config: { type: 'string' },
  data: { type: 'string' },
  listen: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

type Flags = {
  config?: string | undefined;
  data?: string | undefined;
  listen?: string | undefined;
  json?: boolean | undefined;
};

/** `dunlin doctor`: answers the exit code. */
export async function doctorCommand(argv: readonly string[], io: Io): Promise<number> {
  let flags: Flags & { help?: boolean | undefined };
  try {
    flags = parseArgs({ args: [...argv], options }).values;
  } catch (thrown) {
    io.err(`dunlin doctor: ${sentenceOf(thrown)}`);
    io.err(help);
    return exits.wrongUse;
  }
  if (flags.help) {
    io.out(help);
    return exits.done;
  }
  const findings = await examine(flags);
  const bad = findings.some(({ state }) => state === 'wrong');
  if (flags.json) io.out(JSON.stringify({ healthy: !bad, findings }, null, 2));
  else for (const finding of findings) tell(finding, io);
  return bad ? exits.failed : exits.done;
}

async function examine({ json: _json, ...named }: Flags): Promise<Finding[]> {
  const given = Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined));
  const found = readConfig(given);
  const box = [checkAddon(), checkClock(), checkSecretKey(), ...checkSystemd()];
  if (!found.ok) {
    const advice = 'mend the file; dunlin check-config says whether it is good';
    return [...found.problems.map((problem) => wrong('configuration', problem, advice)), ...box];
  }
  const { config } = found;
  const { dir, retention } = config.data;
  const running = isInUse(dir);
  return [
    ok('configuration', found.file ?? 'no file, the defaults hold'),
    ...box,
    checkFolder(dir),
    checkDisk(dir, retention),
    ...checkDatabases(dir),
    ok('daemon', running === null ? 'whether it runs cannot be seen' : running ? 'it runs' : 'it does not run'),
    await checkListen(config.http, running),
    ...(await checkLinks([...config.links, ...storedLinks(dir, config.links)], running)),
  ];
}

const marks: Record<Finding['state'], string> = {
  ok: 'ok     ',
  warning: 'warning',
  wrong: 'WRONG  ',
  unknown: '?      ',
};

function tell({ check, state, text, advice }: Finding, io: Io): void {
  io.out(`${marks[state]}  ${check}: ${text}`);
  if (advice !== null) io.out(`         do: ${advice}`);
}
