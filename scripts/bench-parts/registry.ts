import { Agent, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { type BenchDaemon, inFolder, withDaemon } from './daemon.ts';
import { median, quantile, type Row } from './row.ts';

const ASSETS = 10_000;
const CONNECTIONS = 16;
const RUN_S = 5;
const LISTINGS = 15;
const TARGET_LIST_MS = 100;
const TARGET_HOLD_MS = 20;
/** A hundred rows are one change of the disk. */
const TARGET_IMPORT_HOLD_MS = 50;

type Call = { method: string; path: string; body?: unknown };
type Asset = { id: string };

/** What the registry costs with ten thousand assets, over real HTTP: one row read, one row written, all rows listed. */
export function benchRegistry(): Promise<Row[]> {
  return inFolder((dataDir) => withDaemon({ dataDir, probe: true }, measure));
}

async function measure(daemon: BenchDaemon): Promise<Row[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const assets = Array.from({ length: ASSETS }, (_, n) => ({
    name: `Heron ${n}`,
    serial: `1581F5FKD2294A${String(n).padStart(6, '0')}`,
    model: 'DJI Matrice 30',
  }));
  await daemon.longestHoldMs();
  const imported = await timed(daemon, agent, { method: 'POST', path: '/api/assets/import', body: { assets } });
  const listed = await timed(daemon, agent, { method: 'GET', path: '/api/assets' });
  const ids = (JSON.parse(listed.text) as { data: Asset[] }).data.map(({ id }) => id);
  if (ids.length !== ASSETS) throw new Error(`there are ${ids.length} assets: ${imported.text.slice(0, 300)}`);

  const some = (): string => ids[Math.floor(Math.random() * ids.length)] ?? '';
  const reads = await load(daemon, agent, () => ({ method: 'GET', path: `/api/assets/${some()}` }));
  const spec = { model: 'DJI Matrice 30', notes: 'new rotors in May' };
  const writes = await load(daemon, agent, () => ({ method: 'POST', path: `/api/assets/${some()}`, body: { spec } }));
  const list = await listings(daemon, agent, '/api/assets');
  const picture = await listings(daemon, agent, '/api/picture');
  agent.destroy();
  const of = `${ASSETS} assets`;
  return [
    ...loadRows(`GET /api/assets/{id}, ${of}`, reads),
    ...loadRows(`POST /api/assets/{id}, ${of}`, writes),
    { name: `GET /api/assets, ${of}`, value: median(list.ms), unit: 'ms', target: { atMost: TARGET_LIST_MS } },
    {
      name: 'the same, longest hold of the event loop',
      value: list.holdMs,
      unit: 'ms',
      target: { atMost: TARGET_HOLD_MS },
    },
    { name: 'the same, the machine ran something else', value: list.waitedMs, unit: 'ms' },
    { name: `GET /api/picture, ${of}`, value: median(picture.ms), unit: 'ms' },
    { name: 'the same, longest hold of the event loop', value: picture.holdMs, unit: 'ms' },
    { name: `import of ${of}`, value: imported.ms, unit: 'ms' },
    {
      name: 'the same, longest hold of the event loop',
      value: imported.holdMs,
      unit: 'ms',
      target: { atMost: TARGET_IMPORT_HOLD_MS },
    },
  ];
}

type Load = { perS: number; p50Ms: number; p99Ms: number; waitedMs: number };

function loadRows(name: string, { perS, p50Ms, p99Ms, waitedMs }: Load): Row[] {
  return [
    { name: `${name}, ${CONNECTIONS} connections`, value: perS, unit: 'requests/s' },
    { name: `${name}, half within`, value: p50Ms, unit: 'ms' },
    { name: `${name}, 99 of 100 within`, value: p99Ms, unit: 'ms' },
    { name: `${name}, the machine ran something else`, value: waitedMs, unit: 'ms a second' },
  ];
}

/** As fast as it is answered, one request at a time on each connection. */
async function load(daemon: BenchDaemon, agent: Agent, next: () => Call): Promise<Load> {
  const times: number[] = [];
  const [waited, beganMs] = [daemon.cpu().waited, performance.now()];
  const untilMs = beganMs + RUN_S * 1_000;
  const worker = async (): Promise<void> => {
    while (performance.now() < untilMs) {
      const { ms } = await answer(daemon.url, agent, next());
      times.push(ms);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  const seconds = (performance.now() - beganMs) / 1_000;
  const waitedMs = ((daemon.cpu().waited - waited) * 1_000) / seconds;
  return { perS: times.length / seconds, p50Ms: quantile(times, 0.5), p99Ms: quantile(times, 0.99), waitedMs };
}

/** One after the other, each read to its last byte and thrown away. */
async function listings(daemon: BenchDaemon, agent: Agent, path: string) {
  await daemon.longestHoldMs();
  const waited = daemon.cpu().waited;
  const ms: number[] = [];
  for (let n = 0; n < LISTINGS; n++) {
    ms.push((await answer(daemon.url, agent, { method: 'GET', path })).ms);
    await wait(50);
  }
  return { ms, holdMs: await daemon.longestHoldMs(), waitedMs: (daemon.cpu().waited - waited) * 1_000 };
}

async function timed(daemon: BenchDaemon, agent: Agent, call: Call) {
  await daemon.longestHoldMs();
  const { ms, chunks } = await answer(daemon.url, agent, call);
  return { ms, text: Buffer.concat(chunks).toString(), holdMs: await daemon.longestHoldMs() };
}

function answer(url: string, agent: Agent, { method, path, body }: Call): Promise<{ ms: number; chunks: Buffer[] }> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const headers =
    text === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
  const beganMs = performance.now();
  return new Promise((resolve, reject) => {
    const asking = request(url + path, { method, agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () => {
        const ms = performance.now() - beganMs;
        if (response.statusCode === 200) resolve({ ms, chunks });
        else
          reject(
            new Error(`${method} ${path}: ${response.statusCode} ${Buffer.concat(chunks).toString().slice(0, 300)}`),
          );
      });
    });
    asking.once('error', reject);
    asking.end(text);
  });
}
