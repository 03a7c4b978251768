import { parseArgs } from 'node:util';
import { Fault } from '../src/model/fault.ts';
import { benchAlert } from './bench-parts/alert.ts';
import { benchAreas } from './bench-parts/areas.ts';
import { benchAssess } from './bench-parts/assess.ts';
import { benchClients } from './bench-parts/clients.ts';
import { benchConsole } from './bench-parts/console.ts';
import { benchCore } from './bench-parts/core.ts';
import { benchDecodeLines } from './bench-parts/decode_lines.ts';
import { benchDecodeMavlink } from './bench-parts/decode_mavlink.ts';
import { benchDecodeRadio } from './bench-parts/decode_radio.ts';
import { benchFeed } from './bench-parts/feed.ts';
import { benchFleet } from './bench-parts/fleet.ts';
import { benchLatency } from './bench-parts/latency.ts';
import { benchLoad } from './bench-parts/load.ts';
import { benchMemory } from './bench-parts/memory.ts';
import { benchOutlets } from './bench-parts/outlets.ts';
import { benchPictureBesideOutlets } from './bench-parts/outlets_picture.ts';
import { benchPlan } from './bench-parts/plan.ts';
import { machine, printRows } from './bench-parts/print.ts';
import { benchRecord } from './bench-parts/record.ts';
import { benchRegistry } from './bench-parts/registry.ts';
import { type Row, rowsOfFigures, verdict } from './bench-parts/row.ts';
import { benchRules } from './bench-parts/rules.ts';
import { benchScore } from './bench-parts/score.ts';
import { benchSim } from './bench-parts/sim.ts';
import { benchStart } from './bench-parts/start.ts';
import { benchStore } from './bench-parts/store.ts';
import { benchStream, type StreamBench } from './bench-parts/stream.ts';
import { benchTracker } from './bench-parts/tracker.ts';
import { benchTracking, type TrackingOptions } from './bench-parts/tracking.ts';
import { benchWatching } from './bench-parts/watching.ts';
import { benchZones } from './bench-parts/zones.ts';

type Part = { name: string; run(): Promise<Row[]> };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string' },
    only: { type: 'string', default: '' },
    seeds: { type: 'string', default: '' },
    policy: { type: 'string' },
    tracks: { type: 'string' },
  },
});
const listed = (text: string): string[] => text.split(',').filter((word) => word !== '');

const parts: readonly Part[] = [
  { name: 'decode', run: async () => rowsOfFigures([...benchDecodeMavlink(), ...benchDecodeLines()]) },
  { name: 'radio', run: benchDecodeRadio },
  { name: 'feed', run: benchFeed },
  { name: 'core', run: benchCore },
  { name: 'tracker', run: benchTracker },
  { name: 'tracking', run: () => benchTracking(trackingOptions()) },
  { name: 'score', run: benchScore },
  { name: 'assess', run: benchAssess },
  { name: 'rules', run: benchRules },
  { name: 'areas', run: async () => benchAreas() },
  { name: 'zones', run: async () => benchZones() },
  { name: 'plan', run: async () => benchPlan() },
  { name: 'store', run: async () => rowsOfFigures(await benchStore()) },
  { name: 'record', run: benchRecord },
  { name: 'registry', run: benchRegistry },
  { name: 'stream', run: streamRows },
  { name: 'sim', run: benchSim },
  { name: 'start', run: benchStart },
  { name: 'latency', run: benchLatency },
  { name: 'alert', run: benchAlert },
  { name: 'outlets', run: benchOutlets },
  { name: 'outlets-picture', run: benchPictureBesideOutlets },
  { name: 'fleet', run: benchFleet },
  { name: 'clients', run: benchClients },
  { name: 'load', run: benchLoad },
  { name: 'memory', run: () => benchMemory(Number(values.minutes ?? 10)) },
  { name: 'console', run: () => benchConsole(Number(values.minutes ?? 0)) },
  { name: 'watching', run: () => benchWatching(Number(values.minutes ?? 5)) },
];

function trackingOptions(): TrackingOptions {
  const seeds = listed(values.seeds).map(Number);
  if (!seeds.every((seed) => Number.isInteger(seed) && seed >= 0))
    throw new Fault('invalid_input', `--seeds are whole numbers, for example 1100,2100, not '${values.seeds}'.`);
  return { only: listed(values.only), seeds, policy: values.policy, tracks: values.tracks };
}

/** The stream alone, in bursts of every track; 'clients' is the whole daemon with tracks told one by one. */
async function streamRows(): Promise<Row[]> {
  const full = await benchStream();
  const { clients, tracks, hz, rssMb } = full;
  const name = `${clients} clients, ${tracks} tracks, ${hz} Hz`;
  const always = await benchStream({ predictEvery: 1 });
  const light = await benchStream({ profile: 'light' });
  return [
    { name, value: full.cpuShare * 100, unit: '% of a core', target: { atMost: 3 } },
    { name, value: rssMb, unit: 'MB resident' },
    ...traffic(name, full),
    ...traffic('the same with predictions in each update', always),
    ...traffic('the same in the light profile', light),
  ];
}

function traffic(name: string, { cpuShare, clients, mbPerS }: StreamBench): Row[] {
  return [
    { name: `${name}: one client`, value: (mbPerS * 1_000) / clients, unit: 'kB/s' },
    { name: `${name}: processor`, value: cpuShare * 100, unit: '% of a core' },
  ];
}

async function main(): Promise<void> {
  const unknown = positionals.filter((name) => !parts.some((part) => part.name === name));
  if (unknown.length > 0) {
    console.error(`There is no part ${unknown.join(', ')}; there are ${parts.map((part) => part.name).join(', ')}.`);
    process.exitCode = 2;
    return;
  }
  console.log(machine());
  const verdicts: string[] = [];
  for (const { name, run } of parts) {
    if (positionals.length > 0 && !positionals.includes(name)) continue;
    const rows = await run();
    verdicts.push(...rows.map(verdict));
    if (rows.length > 0) printRows(name, rows);
  }
  const count = (wanted: string): number => verdicts.filter((one) => one === wanted).length;
  const missed = count('missed');
  console.log(`\n${count('met')} targets met, ${missed} missed`);
  process.exitCode = missed === 0 ? 0 : 1;
}

await main().catch((thrown) => {
  if (!(thrown instanceof Fault)) throw thrown;
  console.error(thrown.message);
  process.exitCode = 2;
});
