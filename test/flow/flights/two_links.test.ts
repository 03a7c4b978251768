import t from 'tap';
import type { Track } from '../../../src/model/track.ts';
import { onlyInFull, takeTime, until } from '../../support/basics/patience.ts';
import { begun, startFlights } from '../../support/daemon/flights.ts';
import { StreamClient } from '../../support/http/stream_client.ts';
import { ArduCopter } from '../../support/vehicles/arducopter.ts';

onlyInFull(t);
takeTime(t, 120);

const second = 'name=second,transport=udp,address=127.0.0.1:0,protocol=mavlink,command=allow,sources_allow=127.0.0.1';
const uid2 = Array.from({ length: 18 }, (_, at) => at + 40);
const at = { lat: -35.363_262, lon: 149.165_237 };
/** Both links know its names well before it has a position. */
const boot = { fixS: 6, homeS: 6, prearmS: 6, positionS: 6 };

for (const delayMs of [0, 300]) {
  t.test(
    `a vehicle on two links, one of them ${delayMs} ms late, is one track and leaves no other behind`,
    async (t) => {
      const rig = await startFlights(t, { args: ['--link', second] });
      const stream = await StreamClient.open(t, rig.daemon);
      const port = await rig.daemon.port('second');
      const one = await begun(t, new ArduCopter({ uid2, at, boot, groundStation: rig.groundStation }));
      const late = { uid2, at, boot, faults: { delayMs } };
      await begun(t, new ArduCopter({ ...late, groundStation: { host: '127.0.0.1', port } }));
      const id = await rig.adopt(one, 'Heron');
      await rig.row(({ link_ids }) => link_ids.length === 2, 'it is heard on both', { withinMs: 40_000 });
      await rig.able(id, 'takeoff', { withinMs: 40_000 });
      await until(async () => (await rig.daemon.get<Track[]>('/api/tracks')).length === 1, 'there is one track');
      const [track] = await rig.daemon.get<Track[]>('/api/tracks');
      t.match(track, { number: 'T-0001', asset_id: id, affiliation: 'friend', affiliation_basis: 'telemetry' });
      const ends = stream.events.flatMap(({ event, data }) => (event === 'track_removed' ? [data.body.reason] : []));
      t.ok(
        ends.every((reason) => reason === 'merged'),
        `others were merged into it: ${ends}`,
      );
    },
  );
}
