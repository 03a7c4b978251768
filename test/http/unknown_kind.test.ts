import t from 'tap';
import { logKinds } from '../../src/model/log_kind.ts';
import { ask, startRig } from '../support/http/server.ts';

t.test('a kind of event that there is not is refused with all that there are', async (t) => {
  const rig = await startRig(t);
  const { status, body } = await ask(`${rig.url}/api/events?kind=track.born`);
  t.equal(status, 400);
  for (const kind of logKinds) t.ok(body.error?.includes(kind), kind);
  t.equal(body.faults?.[0]?.path, 'kind');
  t.equal(new Set(logKinds).size, logKinds.length, 'each stands once');
  for (const kind of ['track.new', 'zone.enter', 'command.done', 'link.down'])
    t.equal((await ask(`${rig.url}/api/events?kind=${kind}`)).status, 200, kind);
});
