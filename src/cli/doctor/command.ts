import { type Config, type ConfigFlags, readConfig } from '../../host/config.ts';
import { daemonOptions, flagsAlone, readArguments } from '../arguments.ts';
import { exits, type Io } from '../io.ts';
import { checkBackups } from './backup_checks.ts';
import { checkAddon, checkClock, checkSecretKey, checkSystemd } from './box_checks.ts';
import { checkCredentials } from './credential_checks.ts';
import {
  checkDatabases,
  checkDisk,
  checkFolder,
  isInUse,
  storedLinks,
  storedOutlets,
  storedSensors,
} from './data_checks.ts';
import { checkExposure } from './exposure.ts';
import { type Finding, ok, wrong } from './finding.ts';
import { checkOutlets } from './outlet_checks.ts';
import { checkRadios } from './radio_checks.ts';
import { checkReceivers } from './receiver_checks.ts';
import { checkLinksBeside } from './running_links.ts';
import { checkSite } from './site_checks.ts';
import { checkTime } from './time_checks.ts';
import { checkLinks, checkListen, checkNoLinks } from './way_checks.ts';

const help = `Usage: dunlin doctor [--config FILE] [--data DIR] [--listen HOST:PORT] [--link SPEC]…
                     [--outlet SPEC]… [--json]

Checks the box as the daemon would find it (configuration, native addon, data folder, disk, databases, ports, devices,
Wi-Fi adapters, receivers, credentials, clock, systemd), and prints what to do. Run it as the daemon's user. Nothing is
changed; the daemon may run meanwhile.

  --config FILE  the configuration, found as 'dunlin serve' finds it
  --data DIR     the data folder; without it, that of the configuration
  --listen HOST:PORT  address of the daemon, if it differs from that of the configuration
  --link SPEC    a link of the daemon's command line, in the form of 'dunlin serve'; repeatable
  --outlet SPEC  an outlet of the daemon's command line, in the form of 'dunlin serve'; repeatable
  --json         the findings as JSON
  --help         this text

Exit codes: 0 nothing is wrong (but there may be warnings), 1 something is wrong, 2 wrong use.`;

const options = { ...daemonOptions, json: { type: 'boolean' } } as const;

/** Runs `dunlin doctor`. Resolves with the exit code. */
export async function doctorCommand(argv: readonly string[], io: Io): Promise<number> {
  const flags = readArguments(argv, { name: 'doctor', help, options, read: flagsAlone }, io);
  if (typeof flags === 'number') return flags;
  const findings = await examine(flags);
  const bad = findings.some(({ state }) => state === 'wrong');
  if (flags.json) io.out(JSON.stringify({ healthy: !bad, findings }, null, 2));
  else for (const finding of findings) print(finding, io);
  return bad ? exits.failed : exits.done;
}

async function examine(flags: ConfigFlags): Promise<Finding[]> {
  const found = readConfig(flags);
  const box = [checkAddon(), checkClock(), checkSecretKey(), ...checkSystemd()];
  if (!found.ok) {
    return [...found.problems.map(problemFinding), ...box];
  }
  const { config } = found;
  const { dir, retention } = config.data;
  const running = isInUse(dir);
  return [
    ok('configuration', found.file ?? 'no configuration file: the defaults apply'),
    ...box,
    checkFolder(dir),
    checkDisk(dir, retention),
    ...checkDatabases(dir),
    ...checkBackups(dir, Date.now()),
    ok(
      'daemon',
      running === null
        ? 'it is unknown whether the daemon runs'
        : running
          ? 'the daemon runs'
          : 'the daemon does not run',
    ),
    await checkListen(config.http, running),
    ...(await checkTime(config.http, running)),
    checkExposure(config.http),
    ...(await examineLinks(config, running)),
    ...(await checkOutlets([...config.outlets, ...storedOutlets(dir, config.outlets)])),
    ...checkCredentials(config),
    ...(await checkSite(config, running)),
  ];
}

/**
 * Returns the finding for a problem of the configuration. Problems of the command line begin with the name of the flag.
 */
function problemFinding(problem: string): Finding {
  if (problem.startsWith('--')) {
    return wrong('command line', problem, 'correct the option; dunlin serve --help shows its form');
  }
  return wrong('configuration', problem, 'correct the file; dunlin check-config checks it');
}

async function examineLinks(config: Config, running: boolean | null): Promise<Finding[]> {
  const { dir } = config.data;
  const known = { configured: config.links, stored: storedLinks(dir, config.links) };
  const all = [...known.configured, ...known.stored];
  const findings = running ? await checkLinksBeside(config.http, known) : await checkLinks(all, false);
  const radios = [...checkRadios(all), ...checkReceivers(all)];
  if (findings.length > 0) return [...findings, ...radios];
  return [checkNoLinks(all.length, config.sensors.length + storedSensors(dir)), ...radios];
}

const marks: Record<Finding['state'], string> = {
  ok: 'ok     ',
  warning: 'warning',
  wrong: 'WRONG  ',
  unknown: '?      ',
};

function print({ check, state, text, advice }: Finding, io: Io): void {
  io.out(`${marks[state]}  ${check}: ${text}`);
  if (advice !== null) io.out(`         do: ${advice}`);
}
