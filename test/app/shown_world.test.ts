import t from 'tap';
import { ShownWorld } from '../../src/app/shown_world.ts';
import type { WorldServices } from '../../src/app/world_services.ts';
import type { Flush } from '../../src/model/event.ts';
import { createFakeStream } from '../support/http/fake_stream.ts';

/** The services of a world of which only its stream is asked. */
function worldOf(epoch: string): { services: WorldServices; stream: ReturnType<typeof createFakeStream> } {
  const stream = createFakeStream();
  stream.newEpoch(epoch);
  const world = Object.assign(stream, { epoch });
  return { services: { world } as unknown as WorldServices, stream };
}

t.test('a request sees the world that is shown, or the live one where it asks for it', async (t) => {
  const [live, sim] = [worldOf('live'), worldOf('sim')];
  const shownWorld = new ShownWorld(live.services);
  t.equal(shownWorld.of(), live.services);
  shownWorld.play({ mode: 'sim', worldServices: sim.services });
  t.equal(shownWorld.of(), sim.services);
  t.equal(shownWorld.of('live'), live.services);
  t.equal(shownWorld.stream().snapshot().epoch, 'sim');
  t.equal(shownWorld.stream('live').snapshot().epoch, 'live');
  shownWorld.showLive();
  t.equal(shownWorld.of(), live.services);
  t.equal(shownWorld.stream().snapshot().epoch, 'live');
});

t.test('the stream of what is shown goes over to the next world with an epoch of its own', async (t) => {
  const [live, sim] = [worldOf('live'), worldOf('sim')];
  const shownWorld = new ShownWorld(live.services);
  const [told, toldLive]: [Flush[], Flush[]] = [[], []];
  const leave = shownWorld.stream().follow((flush) => told.push(flush));
  shownWorld.stream('live').follow((flush) => toldLive.push(flush));
  sim.stream.change('log', { text: 'not told yet' });
  shownWorld.play({ mode: 'sim', worldServices: sim.services });
  t.same(told, [{ epoch: 'sim', events: [] }], 'what was due belongs to the picture that clients begin with');
  live.stream.change('log', { text: 'unseen' });
  live.stream.flush();
  sim.stream.change('log', { text: 'seen' });
  sim.stream.flush();
  t.match(told.slice(1), [{ epoch: 'sim', events: [{ body: { text: 'seen' } }] }]);
  t.match(toldLive, [{ epoch: 'live', events: [{ body: { text: 'unseen' } }] }]);
  t.equal(toldLive.length, 1);
  leave();
  shownWorld.showLive();
  sim.stream.change('log', { text: 'later' });
  sim.stream.flush();
  t.equal(told.length, 2, 'who left is told of nothing');
});
