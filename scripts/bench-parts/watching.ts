import { noBrowser } from '../../test/console/support/chromium.ts';
import { SITE } from './console_recording.ts';
import { type Asked, recordConsole, startConsoles } from './console_requests.ts';
import { type BenchDaemon, inFolder, withDaemon } from './daemon.ts';
import type { Cpu } from './process.ts';
import { median, type Row } from './row.ts';
import { Senders, send } from './senders.ts';

const CONSOLES = 3;
const TRACKS = 100;
const HZ = 2;
const RECORDED_S = 20;
const WARM_S = 6;
const ROUNDS = 3;
const MOST_PERCENT = 5;

type Cost = { cpuS: number; rssMb: number };

/**
 * What three consoles cost the daemon beside three clients that read the stream and nothing else. The requests of a console are
 * recorded once and replayed, so that no browser shares the cores. `minutes` of each kind are measured, turn about.
 */
export async function benchWatching(minutes: number): Promise<Row[]> {
  if (noBrowser !== false) {
    console.log(`\nwatching\n${noBrowser}`);
    return [];
  }
  const asked = await inDaemon((daemon) => recorded(daemon));
  const [consoles, readers]: [Cost[], Cost[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    const seconds = (minutes * 60) / ROUNDS;
    consoles.push(await inDaemon((daemon) => costOf(daemon, asked, seconds)));
    readers.push(await inDaemon((daemon) => costOf(daemon, [], seconds)));
  }
  const of = (costs: readonly Cost[], what: keyof Cost): number => median(costs.map((cost) => cost[what]));
  const more = (what: keyof Cost): number => (of(consoles, what) / of(readers, what) - 1) * 100;
  const target = { atMost: MOST_PERCENT };
  return [
    { name: `${asked.length} requests of a console in ${RECORDED_S} s`, value: asked.length, unit: 'requests' },
    { name: `CPU time, ${CONSOLES} consoles`, value: of(consoles, 'cpuS'), unit: 's' },
    { name: `CPU time, ${CONSOLES} plain readers`, value: of(readers, 'cpuS'), unit: 's' },
    { name: 'CPU time, consoles beside readers', value: more('cpuS'), unit: '% more', target },
    { name: `memory, ${CONSOLES} consoles`, value: of(consoles, 'rssMb'), unit: 'MB' },
    { name: `memory, ${CONSOLES} plain readers`, value: of(readers, 'rssMb'), unit: 'MB' },
    { name: 'memory, consoles beside readers', value: more('rssMb'), unit: '% more', target },
  ];
}

function inDaemon<T>(use: (daemon: BenchDaemon) => Promise<T>): Promise<T> {
  return inFolder((dataDir) => withDaemon({ dataDir }, use));
}

type Load = { port: number; senders: Senders; perS: number };

async function begin(daemon: BenchDaemon): Promise<Load> {
  const geometry = { type: 'Point', coordinates: [SITE.lon, SITE.lat], radius_m: 1_000 };
  const body = JSON.stringify({ name: 'Depot', kind: 'protected', geometry });
  const headers = { 'content-type': 'application/json' };
  await fetch(`${daemon.url}/api/zones`, { method: 'POST', headers, body });
  const load = { port: daemon.port, senders: new Senders(TRACKS), perS: TRACKS * HZ };
  await send({ ...load, seconds: WARM_S });
  return load;
}

async function recorded(daemon: BenchDaemon): Promise<Asked[]> {
  const load = await begin(daemon);
  const [asked] = await Promise.all([
    recordConsole(daemon.url, RECORDED_S),
    send({ ...load, seconds: RECORDED_S + WARM_S }),
  ]);
  return asked;
}

/** The daemon's CPU time and memory over so many seconds, from before its clients come. */
async function costOf(daemon: BenchDaemon, asked: readonly Asked[], seconds: number): Promise<Cost> {
  const load = await begin(daemon);
  const before = sumOf(daemon.cpu());
  const end = await startConsoles(daemon.url, CONSOLES, asked);
  await send({ ...load, seconds });
  const cost = { cpuS: sumOf(daemon.cpu()) - before, rssMb: daemon.rssMb() };
  end();
  return cost;
}

const sumOf = ({ main, core, history, other }: Cpu): number => main + core + history + other;
