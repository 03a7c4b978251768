import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import t from 'tap';
import { startDaemon } from '../support/daemon/daemon.ts';
import { linkOf, sensorOf, trackOf } from '../support/daemon/watch.ts';
import { fixturePath } from '../support/links/line_feeding.ts';

t.test('a daemon that dials readsb shows its aircraft with their classes', async (t) => {
  const beganS = Date.now() / 1_000;
  const lines = readFileSync(fixturePath('readsb.jsonl'), 'utf8');
  const now = lines.replace(
    /"now":([\d.]+)/g,
    (_, at: string) => `"now":${(Number(at) - 1_772_625_602 + beganS).toFixed(1)}`,
  );
  const server = createServer((socket) => {
    socket.on('error', () => {});
    const timer = setInterval(() => socket.write(now), 300);
    socket.on('close', () => clearInterval(timer));
    t.teardown(() => socket.destroy());
  });
  t.teardown(() => server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const daemon = await startDaemon(t, {
    args: ['--link', `name=air,transport=tcp_client,address=127.0.0.1:${port},protocol=readsb_json`],
  });
  const plane = await trackOf(daemon, '4B5C6D', ({ position }) => position !== null);
  t.match(plane.classification, [{ type: 'crewed_aircraft' }]);
  t.ok(Math.abs((plane.position?.alt_hae_m ?? 0) - 910) < 15, 'its geometric height');
  const drone = await trackOf(daemon, '3E1FA0', ({ position }) => position !== null);
  t.match(drone.classification, [{ type: 'other' }], 'an unmanned aircraft is not crewed');
  t.match(await sensorOf(daemon, 'air'), { modality: 'adsb', state: 'operational' });
  t.ok((await linkOf(daemon, 'air')).rejects.implausible > 0);
});
