import { setImmediate as turn } from 'node:timers/promises';
import t from 'tap';
import { sampleTask } from '../../src/http/openapi/fleet_samples.ts';
import { idleSim } from '../../src/model/picture.ts';
import { formatTime } from '../../src/model/time.ts';
import { DeltaStream } from '../../src/picture/delta_stream.ts';
import { PictureState } from '../../src/picture/picture.ts';

t.test(
  'a picture says itself that something is due: rows at once in one delta, tasks with the next tick',
  async (t) => {
    const deps = {
      ...{ nowMs: Date.now, publishMs: Date.now, sim: () => idleSim, timeText: formatTime },
      ...{ mslOfHae: (hae: number) => hae, groundAltHaeM: () => null, provenance: 'live' as const },
      ...{ alerts: () => [], engagements: () => [] },
    };
    const picture = new PictureState({ epoch: 'e', workspaceId: 'w', trackHz: 4, environment: 'live' }, deps);
    const stream = new DeltaStream(picture, { tickMs: 1, replayEvents: 10 }, Date.now);
    t.teardown(() => stream.stop());
    const published: string[][] = [];
    stream.onFlush((events) => void published.push(events.map(({ kind }) => kind)));
    picture.setRows('zones', [{ id: 'a' }, { id: 'b' }]);
    t.same(published, [['zone_update', 'zone_update']]);
    picture.removeRow('zones', 'a');
    t.same(published.at(-1), ['zone_removed']);
    picture.actions.task(sampleTask);
    picture.actions.task({ ...sampleTask, id: 'other' });
    t.equal(published.length, 2, 'not within the call');
    while (published.length < 3) await turn();
    t.same(published.at(-1), ['task_update', 'task_update']);
  },
);
