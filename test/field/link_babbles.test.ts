import { createWriteStream, readFileSync } from 'node:fs';
import t, { type Test } from 'tap';
import type { Alert } from '../../src/model/alert.ts';
import { onlyInFull, until } from '../support/basics/patience.ts';
import { must } from '../support/daemon/alerts.ts';
import { fieldBox, radarConfig } from '../support/daemon/field_box.ts';
import { rssMib, smallHeap } from '../support/daemon/program.ts';
import { flySwarm } from '../support/daemon/swarm.ts';
import { linkOf, sensorOf } from '../support/daemon/watch.ts';
import { readStream } from '../support/http/stream_reader.ts';
import { socatMissing, startPtyPair } from '../support/links/pty.ts';

onlyInFull(t);

const bytesPerS = 1e6;
const babbleS = 4;
/** Ticks of the kernel's CPU times: USER_HZ, 100 on Linux. */
const ticksPerS = 100;

function cpuS(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / ticksPerS;
}

/** Writes a megabyte a second without a line end, as a receiver at a wrong baud rate, or one that broke, may. */
function babble(t: Test, path: string): { sent(): number; stop(): void } {
  const port = createWriteStream(path, { flags: 'r+' });
  port.on('error', () => {});
  const block = Buffer.alloc(bytesPerS / 50, 0xa5).fill('{"a":', 0, 1_000);
  let sent = 0;
  const timer = setInterval(() => {
    if (port.writableLength > 0) return;
    port.write(block);
    sent += block.length;
  }, 20);
  const stop = (): void => {
    clearInterval(timer);
    port.destroy();
  };
  t.teardown(stop);
  return { sent: () => sent, stop };
}

t.test(
  'a serial line that babbles costs little, disturbs no other link, and is alerted',
  { skip: socatMissing() },
  async (t) => {
    const box = fieldBox(t, radarConfig);
    const cable = await startPtyPair(t, box.folder);
    const args = ['--link', `name=gate,transport=serial,address=${cable.near},protocol=odid_json`];
    const daemon = await box.spawn({ args, command: smallHeap });
    const stream = await readStream(t, daemon.url);
    flySwarm(t, await daemon.port('rows'), { count: 1, hz: 10, sensor: 'mast' });
    await stream.first('the aircraft', ({ kind }) => kind === 'track_new');
    await until(async () => (await linkOf(daemon, 'gate')).state === 'open', 'the line is open');
    const gate = await sensorOf(daemon, 'gate');
    await must(daemon, `/api/sensors/${gate.id}`, { heartbeat_s: 1 });

    const { pid } = daemon.process;
    const from = stream.events.length;
    const before = { cpuS: cpuS(pid), mib: rssMib(pid), ms: performance.now() };
    const line = babble(t, cable.far);
    await until(async () => line.sent() >= babbleS * bytesPerS, 'four megabytes');
    const tookS = (performance.now() - before.ms) / 1_000;
    const share = (cpuS(pid) - before.cpuS) / tookS;
    const grownMib = rssMib(pid) - before.mib;
    t.ok(share < 0.5, `the daemon took ${(share * 100).toFixed(0)} % of a core`);
    t.ok(grownMib < 48, `its memory grew by ${grownMib.toFixed(0)} MiB`);
    const atMs = stream.events
      .slice(from)
      .filter(({ kind }) => kind === 'track_update')
      .map(({ arrivedMs }) => arrivedMs);
    const gapMs = Math.max(...atMs.slice(1).map((at, n) => at - (atMs[n] ?? 0)));
    t.ok(gapMs < 2_000, `the aircraft was updated at least every ${gapMs.toFixed(0)} ms`);

    const garbled = await sensorOf(daemon, 'gate', ({ state }) => state === 'fault');
    t.same(garbled.reasons, ['bytes arrive that cannot be decoded: is the baud rate right?']);
    const alert = await until(
      async () => (await daemon.get<Alert[]>('/api/alerts')).find(({ rule_id }) => rule_id === 'sensor_silent'),
      'the deaf sensor is alerted',
    );
    t.match(alert.text, /gate.*baud rate/);
    const link = await linkOf(daemon, 'gate');
    const rejects = Object.values(link.rejects).reduce((sum, n) => sum + n, 0);
    t.ok(rejects > 0, `refused by reason: ${JSON.stringify(link.rejects)}`);
    t.equal(link.state, 'open');
    line.stop();
    t.equal(await daemon.end(), 0);
  },
);
