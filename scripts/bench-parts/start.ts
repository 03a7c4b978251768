import { inFolder, startDaemon } from './daemon.ts';
import { median, type Row } from './row.ts';
import { Senders, send } from './senders.ts';

const RUNS = 10;
const TARGET_S = 1.5;
/** What a used folder holds: the tracks of such a swarm, left moments ago. */
const USED = { senders: 300, perS: 1_200, seconds: 10 };

type Times = { wallS: number[]; cpuS: number[] };

/** From the start of the process to its line `ready`. */
export async function benchStart(): Promise<Row[]> {
  const empty: Times = { wallS: [], cpuS: [] };
  for (let run = 0; run < RUNS; run++) await inFolder((dataDir) => startOnce(dataDir, empty));
  const used: Times = { wallS: [], cpuS: [] };
  await inFolder(async (dataDir) => {
    const daemon = await startDaemon({ dataDir });
    const { senders, ...pace } = USED;
    await send({ port: daemon.port, senders: new Senders(senders), ...pace });
    await daemon.stop();
    for (let run = 0; run < RUNS; run++) await startOnce(dataDir, used);
  });
  return [...rowsOf('empty data folder', empty), ...rowsOf(`${USED.senders} tracks left`, used)];
}

function rowsOf(name: string, { wallS, cpuS }: Times): Row[] {
  return [
    { name: `start to ready, ${name}`, value: median(wallS), unit: 's', target: { atMost: TARGET_S } },
    { name: `CPU until ready, ${name}`, value: median(cpuS), unit: 's' },
  ];
}

async function startOnce(dataDir: string, times: Times): Promise<void> {
  const daemon = await startDaemon({ dataDir });
  times.wallS.push(daemon.readyMs / 1000);
  times.cpuS.push(daemon.readyCpuS);
  await daemon.stop();
}
