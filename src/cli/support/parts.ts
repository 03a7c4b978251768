import { stringify } from 'yaml';
import { type FoundConfig, readConfig } from '../../host/config.ts';
import { sentenceOf } from '../../model/fault.ts';
import { call } from '../daemon/call.ts';
import { type DaemonPlace, daemonPlace, type PlaceFlags } from '../daemon/place.ts';
import { doctorCommand } from '../doctor/command.ts';
import type { Io } from '../io.ts';
import { resources, versions } from './box.ts';
import { describeDatabases, listFiles } from './databases.ts';
import { knownSecrets } from './known_secrets.ts';
import { lastLines } from './logs.ts';
import { asOwnerOf } from './owner.ts';
import { scrubber, type TextKind, withoutSecrets } from './scrub.ts';

export type BundleFlags = PlaceFlags & { data?: string | undefined; log?: string | undefined; lines: number };
/** A file of the bundle. `about` describes its content. */
export type BundlePart = { path: string; about: string; text: string };

/** Collects the files of the bundle. If a file cannot be made, its text is the reason, and the others are made. */
export async function collectParts(flags: BundleFlags): Promise<BundlePart[]> {
  // The log is read before `asOwnerOf` changes the account, because the new account may not read the journal.
  const log = lastLines(flags.log ?? null, flags.lines);
  const found = readConfig({ config: flags.config, data: flags.data });
  const dataDir = found.config?.data.dir ?? flags.data ?? null;
  return asOwnerOf(dataDir, async () => {
    const scrub = scrubber(knownSecrets(found.config, dataDir));
    const place = placeOf(flags);
    const part = async (path: string, about: string, kind: TextKind, make: () => string | Promise<string>) => {
      const text = await tried(make);
      return { path, about, text: scrub(text.endsWith('\n') ? text : `${text}\n`, kind) };
    };
    const inData = (make: (dir: string) => string) => () =>
      dataDir === null ? 'the data folder is unknown, because the configuration cannot be used' : make(dataDir);
    return [
      await part('versions.json', 'versions: program, Node.js, addon, SQLite, system', 'numbers', () =>
        json(versions()),
      ),
      await part('box.json', 'uptime, load, memory, disk, state of the service', 'numbers', () =>
        json(resources(dataDir)),
      ),
      await part('configuration.yaml', 'effective settings, without secrets and positions', 'sentences', () =>
        configurationText(found),
      ),
      await part('problems.txt', 'problems of the configuration', 'problems', () => problemsText(found)),
      await part('doctor.txt', "output of 'dunlin doctor'", 'problems', () => doctorText(flags)),
      await part('health.json', 'health of the running daemon', 'log', () => asked(place, '/api/health')),
      await part('metrics.txt', 'counters of the running daemon', 'numbers', () => asked(place, '/metrics')),
      await part(
        'databases.json',
        'databases: schema, size, rows of each table, quick check',
        'numbers',
        inData((dir) => json(describeDatabases(dir))),
      ),
      await part('files.txt', 'names, sizes and times of the files of the data folder', 'numbers', inData(listFiles)),
      await part(
        'log.txt',
        `the last ${flags.lines} lines of the log, without secrets and positions`,
        'log',
        () => log,
      ),
    ];
  });
}

const json = (value: object): string => JSON.stringify(value, null, 2);

async function tried(make: () => string | Promise<string>): Promise<string> {
  try {
    return await make();
  } catch (thrown) {
    return `this part could not be read: ${sentenceOf(thrown)}`;
  }
}

function configurationText(found: FoundConfig): string {
  const head = `# from ${found.file ?? 'no file: the defaults apply'}; comments are left out\n`;
  if (found.config === null) return `${head}# it cannot be used: problems.txt has the reasons\n`;
  return head + stringify(withoutSecrets(found.config));
}

function problemsText({ problems, warnings }: FoundConfig): string {
  const lines = [...problems, ...warnings.map((warning) => `warning: ${warning}`)];
  return lines.length === 0 ? 'none' : lines.join('\n');
}

async function doctorText({ config, data }: BundleFlags): Promise<string> {
  const lines: string[] = [];
  const io: Io = { out: (text) => void lines.push(text), err: (text) => void lines.push(text), isTty: false };
  const argv = [...(config === undefined ? [] : ['--config', config]), ...(data === undefined ? [] : ['--data', data])];
  const code = await doctorCommand(argv, io);
  return [...lines, `exit code ${code}`].join('\n');
}

/** Returns the daemon to call; a sentence with the reason if its address is unknown. */
function placeOf(flags: BundleFlags): DaemonPlace | string {
  const said: string[] = [];
  const io: Io = { out: () => {}, err: (text) => void said.push(text), isTty: false };
  try {
    return (
      daemonPlace(flags, io) ??
      'the configuration cannot be used, so the address of the daemon is unknown: add --url URL'
    );
  } catch (thrown) {
    return sentenceOf(thrown);
  }
}

async function asked(place: DaemonPlace | string, path: string): Promise<string> {
  if (typeof place === 'string') return place;
  const { status, body } = await call(place, { method: 'GET', path });
  return status === 200 ? body : `GET ${path}: ${status}\n${body}`;
}
