import { inFolder, startDaemon } from './daemon.ts';
import { median, type Row } from './row.ts';
import { Senders, send } from './senders.ts';

const RUNS = 10;
const TARGET_MS = 1_500;
/** What a used folder holds: the tracks of such a swarm, left moments ago. */
const USED = { senders: 300, perS: 1_200, seconds: 10 };

/** From the start of the process to its line `ready`. */
export async function benchStart(): Promise<Row[]> {
  const empty: number[] = [];
  for (let run = 0; run < RUNS; run++) empty.push(await inFolder(readyMs));
  const used = await inFolder(async (dataDir) => {
    const daemon = await startDaemon({ dataDir });
    const { senders, ...pace } = USED;
    await send({ port: daemon.port, senders: new Senders(senders), ...pace });
    await daemon.stop();
    const times: number[] = [];
    for (let run = 0; run < RUNS; run++) times.push(await readyMs(dataDir));
    return times;
  });
  const row = (name: string, times: number[]): Row => ({
    name,
    value: median(times) / 1000,
    unit: 's',
    target: { atMost: TARGET_MS / 1000 },
  });
  return [row('start to ready, empty data folder', empty), row(`start to ready, ${USED.senders} tracks left`, used)];
}

async function readyMs(dataDir: string): Promise<number> {
  const daemon = await startDaemon({ dataDir });
  await daemon.stop();
  return daemon.readyMs;
}
