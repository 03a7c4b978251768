import { createSocket } from 'node:dgram';
import { connect } from 'node:net';
import type { Sensor } from '../../../src/model/sensor.ts';
import type { Track } from '../../../src/model/track.ts';
import type { Owner } from '../../../test/support/basics/owner.ts';
import type { Daemon } from '../../../test/support/daemon/daemon.ts';
import { rowOf } from '../../../test/support/daemon/swarm.ts';
import { readStream } from '../../../test/support/http/stream_reader.ts';

/** Calls at a steady pace, one call at a time; what fails counts and is not the load's end. */
function every(owner: Owner, ms: number, failures: { count: number }, act: () => Promise<unknown> | unknown): void {
  let busy = false;
  const timer = setInterval(async () => {
    if (busy) return;
    busy = true;
    try {
      await act();
    } catch {
      failures.count++;
    }
    busy = false;
  }, ms);
  owner.teardown(() => clearInterval(timer));
}

/** Aircraft that come and go, so that tracks are made, kept and closed for as long as it runs: each flies for a minute. */
function flyVisitors(owner: Owner, port: number, failures: { count: number }): void {
  const socket = createSocket('udp4');
  socket.on('error', () => failures.count++);
  owner.teardown(() => socket.close());
  const beganMs = performance.now();
  every(owner, 20, failures, () => {
    const flownS = (performance.now() - beganMs) / 1_000;
    // A hundred at a time, ten of them told each turn: five reports a second of each.
    const turn = Math.floor(flownS * 50) % 10;
    for (let n = turn; n < 100; n += 10) {
      const aircraft = n + 100 * Math.floor((flownS + (n * 60) / 100) / 60);
      socket.send(`${JSON.stringify(rowOf(aircraft, 'mast', flownS % 60))}\n`, port, '127.0.0.1');
    }
  });
}

/** A BaseStation port with thirty airliners, and a loose cable on it: garbage between the lines, and it closes at times. */
function flyAirliners(owner: Owner, port: number, failures: { count: number }): void {
  let socket = connect(port, '127.0.0.1');
  let lines = 0;
  const hold = () => {
    socket.on('error', () => {});
    socket.resume();
  };
  hold();
  owner.teardown(() => socket.destroy());
  every(owner, 50, failures, () => {
    lines++;
    const hex = (0xa00000 + (lines % 30)).toString(16).toUpperCase();
    const lat = (47 + (lines % 30) / 50 + lines * 1e-6).toFixed(5);
    socket.write(`MSG,3,1,1,${hex},1,,,,,,30000,,,${lat},8.10000,,,0,0,0,0\r\n`);
    if (lines % 7 === 0) socket.write(Buffer.from(Array.from({ length: 200 }, () => Math.floor(Math.random() * 256))));
    if (lines % 1_200 === 0) {
      socket.destroy();
      socket = connect(port, '127.0.0.1');
      hold();
    }
  });
}

function sendNoise(owner: Owner, port: number, failures: { count: number }): void {
  const socket = createSocket('udp4');
  socket.on('error', () => failures.count++);
  owner.teardown(() => socket.close());
  every(owner, 100, failures, () => {
    const bytes = Uint8Array.from({ length: 1_200 }, () => Math.floor(Math.random() * 256));
    socket.send(bytes, port, '127.0.0.1');
  });
}

/** Clients that stay, one that leaves and resumes, and one that does not read and is cut. */
async function watch(owner: Owner, daemon: Daemon, failures: { count: number }): Promise<void> {
  const forget = async () => {
    const reader = await readStream(owner, daemon.url);
    // This process is not what is measured, but it must last as long.
    every(owner, 1_000, failures, () => reader.events.splice(0, reader.events.length - 1));
  };
  await Promise.all([forget(), forget(), forget()]);
  let comer = await readStream(owner, daemon.url);
  every(owner, 7_000, failures, async () => {
    comer.leave();
    comer = await readStream(owner, daemon.url, comer.lastId ?? undefined);
  });
  every(owner, 20_000, failures, () => {
    const socket = connect(Number(new URL(daemon.url).port), '127.0.0.1');
    socket.on('error', () => {}).pause();
    socket.write('GET /api/stream HTTP/1.1\r\nHost: localhost\r\n\r\n');
    setTimeout(() => socket.destroy(), 60_000).unref();
  });
}

/** What consoles and scripts ask for and change. */
function ask(owner: Owner, daemon: Daemon, failures: { count: number }): void {
  every(owner, 500, failures, () =>
    daemon.post('/api/ingest/obs', { obs: [900, 901, 902].map((n) => rowOf(n, 'mast', 0)) }),
  );
  every(owner, 1_000, failures, () => daemon.get('/api/picture'));
  every(owner, 1_500, failures, async () => {
    const [track] = await daemon.get<Track[]>('/api/tracks?limit=1');
    if (track) await daemon.get(`/api/tracks/${track.id}/history?limit=1000`);
    await daemon.get('/api/detections?limit=200');
  });
  every(owner, 2_000, failures, async () => {
    const { body } = await daemon.post('/api/sensors', { name: `soak ${performance.now()}`, modality: 'acoustic' });
    await daemon.request(`/api/sensors/${(body.data as Sensor).id}`, { method: 'DELETE' });
  });
  every(owner, 3_000, failures, () => daemon.post('/api/ingest/obs', { obs: 'x'.repeat(200_000) }));
}

/** Puts everything on a daemon at once; answers the counter of requests that failed. */
export async function startLoad(owner: Owner, daemon: Daemon): Promise<{ count: number }> {
  const failures = { count: 0 };
  flyVisitors(owner, await daemon.port('rows'), failures);
  flyAirliners(owner, await daemon.port('sbs'), failures);
  sendNoise(owner, await daemon.port('mavlink'), failures);
  await watch(owner, daemon, failures);
  ask(owner, daemon, failures);
  return failures;
}
