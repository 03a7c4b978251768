import { spawn } from 'node:child_process';
import { once } from 'node:events';
import t from 'tap';
import type { Sensor } from '../../src/model/sensor.ts';
import { onlyInFull } from '../support/basics/patience.ts';
import { randomFrom } from '../support/basics/random.ts';
import { seedOf } from '../support/basics/seed.ts';
import { fieldBox, radarConfig } from '../support/daemon/field_box.ts';
import { mainScript, plainNode } from '../support/daemon/program.ts';

onlyInFull(t);

t.test('a daemon killed while it starts leaves a folder that starts', async (t) => {
  const seed = seedOf(t);
  const random = randomFrom(seed);
  const box = fieldBox(t, radarConfig);
  const first = await box.spawn();
  const { body } = await first.post('/api/sensors', { name: 'fence', modality: 'acoustic' });
  await first.end('SIGKILL');
  const [command = '', ...node] = plainNode;
  const args = [...node, mainScript, 'serve', '--config', box.config, '--data', box.dataDir, '--listen', '127.0.0.1:0'];
  // Half of them in the first 300 ms, the others anywhere until the daemon would have been ready.
  for (let round = 0; round < 10; round++) {
    const child = spawn(command, args, { stdio: 'ignore' });
    const exited = once(child, 'exit');
    const killAfterMs = random() * (round % 2 === 0 ? 300 : first.startMs);
    await new Promise((resolve) => setTimeout(resolve, killAfterMs));
    child.kill('SIGKILL');
    t.same(await exited, [null, 'SIGKILL'], `killed ${killAfterMs.toFixed(0)} ms after its start`);
  }
  const daemon = await box.spawn();
  t.same(
    daemon.lines.filter((line) => Number(line.level) >= 50),
    [],
    'the next start has nothing to complain of',
  );
  const sensors = await daemon.get<Sensor[]>('/api/sensors');
  t.match(
    sensors.find(({ name }) => name === 'fence'),
    { id: (body.data as Sensor).id },
    'what was answered before is there',
  );
  t.equal(await daemon.end(), 0);
});
