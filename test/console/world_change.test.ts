import t from 'tap';
import { apply } from '../../src/console/state/apply.ts';
import { Store } from '../../src/console/state/store.ts';
import { chosenMinute } from '../../src/console/state/timeline.ts';
import { followWorlds } from '../../src/console/state/world_change.ts';
import { samplePicture } from '../../src/http/openapi/samples.ts';
import type { Picture } from '../../src/model/picture.ts';

const DEMO = '0190b6e0-0000-7000-8000-00000000d000';

function pictureOf(epoch: string, mode: Picture['mode'], scenario_id: string | null): Picture {
  return { ...samplePicture, epoch, mode, sim: { ...samplePicture.sim, mode, scenario_id } };
}

t.test('a scenario that begins again is announced, and clears the chosen minute', async (t) => {
  const store = new Store();
  let begins = 0;
  const stop = followWorlds(store, () => begins++);
  t.teardown(stop);
  const show = (picture: Picture): void =>
    apply(store, [{ kind: 'snapshot', seq: 1, at: picture.server_at, body: picture }]);
  show(pictureOf('first', 'sim', DEMO));
  chosenMinute.value = 1;
  show(pictureOf('first', 'sim', DEMO));
  t.same([begins, chosenMinute.value], [0, 1], 'a gap in the stream begins nothing');
  show(pictureOf('second', 'sim', DEMO));
  t.same([begins, chosenMinute.value], [1, null]);
  show(pictureOf('live', 'live', null));
  show(pictureOf('third', 'sim', DEMO));
  t.equal(begins, 1, 'another world is no repeat');
});
