import { setTimeout as wait } from 'node:timers/promises';
import { type BenchDaemon, inFolder, withDaemon } from './daemon.ts';
import { startReaders } from './readers.ts';
import { quantile, type Row } from './row.ts';
import { Senders, send } from './senders.ts';

const TRACKS = 300;
const PER_S = 2_000;
const CLIENTS = 5;
const LOOK_EVERY_S = 5;
const IDLE_MB = 130;
const LOADED_MB = 160;

/** Resident memory, idle and under a load of 300 tracks, 2 000 observations a second and 5 clients for `minutes`. */
export function benchMemory(minutes: number): Promise<Row[]> {
  return inFolder((dataDir) => withDaemon({ dataDir }, (daemon) => measure(daemon, minutes)));
}

async function measure(daemon: BenchDaemon, minutes: number): Promise<Row[]> {
  await wait(5_000);
  const idle = daemon.rssMb();
  const readers = await startReaders(daemon.url, CLIENTS);
  const senders = new Senders(TRACKS);
  const looks: { minute: number; mb: number }[] = [];
  for (let s = 0; s < minutes * 60; s += LOOK_EVERY_S) {
    await send({ port: daemon.port, senders, perS: PER_S, seconds: LOOK_EVERY_S });
    looks.push({ minute: s / 60, mb: daemon.rssMb() });
  }
  readers.close();
  const name = `after ${minutes} min of ${TRACKS} tracks at ${PER_S} observations a second, ${CLIENTS} clients`;
  const later = looks.slice(Math.floor(looks.length / 2));
  const mbs = later.map((look) => look.mb);
  return [
    { name: 'resident, idle', value: idle, unit: 'MB', target: { atMost: IDLE_MB } },
    { name: `resident, ${name}`, value: mbs.at(-1) ?? Number.NaN, unit: 'MB', target: { atMost: LOADED_MB } },
    { name: 'resident, most in the second half', value: quantile(mbs, 1), unit: 'MB' },
    { name: 'growth in the second half', value: slope(later), unit: 'MB a minute' },
  ];
}

/** Least squares. */
function slope(looks: readonly { minute: number; mb: number }[]): number {
  const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(looks.map((look) => look.minute)), mean(looks.map((look) => look.mb))];
  const rise = looks.reduce((sum, look) => sum + (look.minute - x) * (look.mb - y), 0);
  return rise / looks.reduce((sum, look) => sum + (look.minute - x) ** 2, 0);
}
