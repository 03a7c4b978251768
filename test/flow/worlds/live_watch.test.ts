import t, { type Test } from 'tap';
import type { Alert } from '../../../src/model/alert.ts';
import type { Rule } from '../../../src/model/rule.ts';
import type { Track } from '../../../src/model/track.ts';
import { takeTime, until } from '../../support/basics/patience.ts';
import { placeAt } from '../../support/basics/place.ts';
import { must } from '../../support/daemon/alerts.ts';
import { type Daemon, startDaemon } from '../../support/daemon/daemon.ts';
import {
  epochOf,
  guard,
  intrude,
  LIVE_SITE,
  nextWorld,
  play,
  receiver,
  scenarioIn,
  show,
  simState,
  visitor,
} from '../../support/daemon/shown_worlds.ts';
import { StreamClient } from '../../support/http/stream_client.ts';
import { udpSender } from '../../support/links/senders.ts';
import { Drones, hovering } from '../../support/sky/drones.ts';

takeTime(t, 180);
const NEIGHBOUR = '1581F5FKD229400000N1';
const INTRUDER = '1581F5FKD229400000X1';
const PLAYED = '1581F5FKD229400000P1';

const carriers = async (daemon: Daemon, query = ''): Promise<string[]> => {
  const tracks = await daemon.get<Track[]>(`/api/tracks${query}`);
  return tracks.flatMap(({ identities }) => identities.map(({ value }) => value));
};

async function begin(t: Test): Promise<{ daemon: Daemon; stream: StreamClient; drones: Drones }> {
  const daemon = await startDaemon(t);
  await must(daemon, '/api/sensors', { name: 'mast', modality: 'remote_id' });
  const link = { name: 'field', transport: 'udp', address: '127.0.0.1:0', protocol: 'obs_json' };
  await must(daemon, '/api/links', link);
  const drones = new Drones(t, daemon, 'mast', udpSender(t, await daemon.port('field')));
  return { daemon, stream: await StreamClient.open(t, daemon), drones };
}

t.test(
  'a live feed is tracked beside a scenario at rate 20, and what is critical in it shows the live world',
  async (t) => {
    const { daemon, stream, drones } = await begin(t);
    const zone = await guard(daemon);
    drones.fly(NEIGHBOUR, hovering(placeAt(LIVE_SITE, 0, 3_000)));
    const live = epochOf(stream.events[0] as (typeof stream.events)[0]);
    const scenario = await scenarioIn(daemon, { actors: [visitor(PLAYED)], sensors: [receiver] });
    await play(daemon, scenario, { rate: 20 });
    const sim = await nextWorld(stream, [live]);
    await until(async () => (await carriers(daemon, '?world=live')).includes(NEIGHBOUR), 'the live one is tracked');
    await until(async () => (await carriers(daemon)).includes(PLAYED), 'the simulated one is tracked');
    t.notOk((await carriers(daemon)).includes(NEIGHBOUR), 'no live track is in the simulated picture');
    t.notOk((await carriers(daemon, '?world=live')).includes(PLAYED), 'and the other way round');

    intrude(drones, INTRUDER);
    const entered = await stream.next(({ event }) => event === 'live_alert', 60_000);
    t.equal(
      epochOf(entered),
      sim.epoch,
      'what is told of the live world is told in the stream of the world that is shown',
    );
    t.match(entered.data.body, { rule_id: 'zone_entry', severity: 'warning', zone_id: zone.id });
    t.match(await simState(daemon), { mode: 'sim' }, 'which stays, for this is not critical');
    // A rule that is made while the simulated world is shown holds in the live one too.
    const rule = await must<Rule>(daemon, '/api/rules', {
      name: 'anybody in it',
      when: { all: [{ field: 'track.zone', op: 'inside', value: 'protected' }] },
      for_s: 0,
      // biome-ignore lint/suspicious/noThenProperty: the interface calls it so, and a list is no function
      then: [{ do: 'alert' }],
      severity: 'critical',
      message: '{track.label} is in it.',
    });
    const told = await stream.next(
      ({ event, data }) => event === 'live_alert' && data.body.severity === 'critical',
      60_000,
    );
    t.equal(epochOf(told), sim.epoch, 'it is told in the stream of the world that is shown');
    const alert = told.data.body as Alert;
    t.match(alert, { rule_id: rule.id });
    const [intruder] = (await daemon.get<Track[]>('/api/tracks?world=live')).filter(({ identities }) =>
      identities.some(({ value }) => value === INTRUDER),
    );
    t.same(alert.track_ids, [intruder?.id]);
    const at = stream.events.indexOf(told);
    const back = await stream.next((event) => event.event === 'snapshot' && stream.events.indexOf(event) > at);
    t.equal(epochOf(back), live, 'the live world is shown');
    t.match(back.data.body, { mode: 'live' });
    t.ok((back.data.body.alerts as Alert[]).some(({ id }) => id === alert.id));
    const from = stream.events.indexOf(back);
    const word = await stream.next((event) => event.event === 'sim_state' && stream.events.indexOf(event) > from);
    t.match(word.data.body, { mode: 'live', run: 'running' }, 'what is played goes on');

    for (const [path, body] of [
      ['/api/sim/mode', { mode: 'sim' }],
      ['/api/sim/start', { scenario_id: scenario.id }],
    ] as const) {
      if (path === '/api/sim/start') await must(daemon, '/api/sim/stop', {});
      const refused = await daemon.post(path, body);
      t.equal(refused.status, 409);
      t.match(
        refused.body.error ?? '',
        /^another world cannot be shown until this critical alert of the live world is cleared/,
      );
    }
    t.match(await simState(daemon), { mode: 'live' });
    const notes = await daemon.get<{ kind: string; text: string; provenance: string }[]>('/api/events?kind=mode.live');
    t.match(notes, [{ kind: 'mode.live', provenance: 'live', text: /^the live world is shown again: / }]);

    drones.ground(INTRUDER);
    await must(daemon, `/api/tracks/${intruder?.id}/drop`, { reason: 'a drill' });
    await until(async () => {
      const alerts = await daemon.get<Alert[]>('/api/alerts');
      return alerts.every(({ severity, state }) => severity !== 'critical' || state === 'cleared');
    }, 'nothing critical is left');
    t.match(await show(daemon, 'sim'), { mode: 'sim' });
  },
);
