import { setTimeout as wait } from 'node:timers/promises';
import { type BenchDaemon, inFolder, withDaemon } from './daemon.ts';
import { shares } from './process.ts';
import { startReaders } from './readers.ts';
import { median, type Row } from './row.ts';
import { Senders, send } from './senders.ts';

const CLIENTS = 30;
const TRACKS = 500;
const HZ = 2;
const RUNS = 3;
const WARM_S = 5;
const RUN_S = 8;
const TARGET_PERCENT = 3;

/** What 30 consoles cost that watch 500 tracks move twice a second: the daemon with them, and without. */
export function benchClients(): Promise<Row[]> {
  // One address may hold a quarter of the streams.
  const config = `stream:\n  max_streams: ${4 * CLIENTS}\n`;
  return inFolder((dataDir) => withDaemon({ dataDir, config }, measure));
}

async function measure(daemon: BenchDaemon): Promise<Row[]> {
  const senders = new Senders(TRACKS);
  const pace = { port: daemon.port, senders, perS: TRACKS * HZ };
  await send({ ...pace, seconds: WARM_S });
  const alone: number[] = [];
  const one: number[] = [];
  const watched: number[] = [];
  let mbPerS = 0;
  // Turn about, so that what else the machine does falls on both alike.
  for (let run = 0; run < RUNS; run++) {
    alone.push((await load(daemon, pace, 0)).percent);
    one.push((await load(daemon, pace, 1)).percent);
    const full = await load(daemon, pace, CLIENTS);
    watched.push(full.percent);
    mbPerS = full.mbPerS;
  }
  const unit = '% of a core';
  const name = `${CLIENTS} clients × ${TRACKS} tracks × ${HZ} Hz`;
  return [
    { name: `whole daemon, ${name}`, value: median(watched), unit },
    { name: 'whole daemon, one client', value: median(one), unit },
    { name: 'whole daemon, nobody watching', value: median(alone), unit },
    {
      name: `streaming alone, ${name}`,
      value: median(watched.map((percent, run) => percent - (alone[run] ?? 0))),
      unit,
      target: { atMost: TARGET_PERCENT },
    },
    { name: 'read by the clients', value: mbPerS, unit: 'MB/s' },
  ];
}

async function load(daemon: BenchDaemon, pace: { port: number; senders: Senders; perS: number }, clients: number) {
  const readers = clients > 0 ? await startReaders(daemon.url, clients) : null;
  await send({ ...pace, seconds: 1 });
  const [before, beganMs, bytes] = [daemon.cpu(), performance.now(), (await readers?.bytes()) ?? 0];
  await send({ ...pace, seconds: RUN_S });
  const wallS = (performance.now() - beganMs) / 1000;
  const percent = shares(before, daemon.cpu(), wallS).all;
  const mbPerS = (((await readers?.bytes()) ?? 0) - bytes) / wallS / 1e6;
  readers?.close();
  await wait(200);
  return { percent, mbPerS };
}
