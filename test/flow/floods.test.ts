import { join } from 'node:path';
import t, { type Test } from 'tap';
import type { Track } from '../../src/model/track.ts';
import { folderOf } from '../support/basics/folder.ts';
import { onlyInFull, takeTime } from '../support/basics/patience.ts';
import { alertsPublished, inShort, must } from '../support/daemon/alerts.ts';
import { type Daemon, startDaemon } from '../support/daemon/daemon.ts';
import { StreamClient } from '../support/http/stream_client.ts';
import { paced, udpSender } from '../support/links/senders.ts';
import { MavlinkReceiver } from '../support/sky/aircraft.ts';
import { Invented } from './invented_aircraft.ts';

onlyInFull(t);
takeTime(t, 120);
const link = 'name=net,transport=udp,address=127.0.0.1:0,protocol=mavlink';
const about = { lat: 47.05, lon: 8.3 };
const receiver = new MavlinkReceiver();

const address = (at: number): string => `02:11:22:33:44:${(16 + at).toString(16).padStart(2, '0').toUpperCase()}`;
const serialOf = (at: number): string => `1581F5FKD2294C0000${(16 + at).toString(16).padStart(2, '0').toUpperCase()}`;

type Air = { daemon: Daemon; stream: StreamClient };

/** Each sends once a second from its second on; before that it is silent. */
async function air(t: Test, dataDir: string, flood: readonly Invented[], beginS: (at: number) => number, zone = false) {
  const daemon = await startDaemon(t, { args: ['--link', link], dataDir });
  if (zone) {
    const geometry = { type: 'Point', coordinates: [about.lon, about.lat], radius_m: 900 };
    await must(daemon, '/api/zones', { name: 'works', kind: 'protected', geometry });
  }
  const stream = await StreamClient.open(t, daemon);
  const send = udpSender(t, await daemon.port('net'));
  return {
    daemon,
    stream,
    play: (seconds: number) =>
      paced(seconds, 1_000, async (second) => {
        for (const [at, one] of flood.entries())
          if (second >= beginS(at)) await send(receiver.pack(one, one.messages(one.next())));
      }),
  };
}

const invent = (many: number, flies: boolean, mac = address): Invented[] =>
  Array.from({ length: many }, (_, at) => new Invented({ mac: mac(at), serial: serialOf(at), about, seed: at, flies }));

const loud = ({ stream }: Air) => alertsPublished(stream, 'alert').filter(({ severity }) => severity !== 'info');

t.test('sixteen invented aircraft from one transmitter are one warning in all', async (t) => {
  const folder = folderOf(t, { true: {}, false: {} });
  await Promise.all(
    [true, false].map(async (flies) => {
      const at = await air(
        t,
        join(folder, String(flies)),
        invent(16, flies, () => address(0)),
        () => 0,
      );
      await at.play(6);
      const raised = loud(at);
      t.equal(raised.length, 1, `${flies ? 'flying' : 'leaping'}: ${inShort(raised).join('\n')}`);
      t.match(raised[0], { rule_id: 'suspect_remote_id', severity: 'warning' });
      t.equal(alertsPublished(at.stream, 'live_alert').length, 1, 'it sounds once');
      const tracks = await at.daemon.get<Track[]>('/api/tracks');
      t.comment(`${flies ? 'flying' : 'leaping'}: ${tracks.length} tracks; ${inShort(raised)}`);
    }),
  );
});

t.test('fifteen addresses, new ones every few seconds, are one warning', async (t) => {
  const folder = folderOf(t, { 'flying-': {}, 'leaping-': {}, 'flying-zone': {}, 'leaping-zone': {} });
  const cases = [true, false].flatMap((flies) => [false, true].map((zone) => ({ flies, zone })));
  await Promise.all(
    cases.map(async ({ flies, zone }) => {
      const what = `${flies ? 'flying' : 'leaping'}-${zone ? 'zone' : ''}`;
      const at = await air(t, join(folder, what), invent(15, flies), (n) => Math.floor(n / 2) * 4, zone);
      await at.play(40);
      const raised = loud(at);
      const updates = alertsPublished(at.stream, 'alert_update');
      t.comment(`${what}: ${inShort(raised).join(' | ')}; ${updates.length} updates`);
      t.comment(`${what}: sounded ${inShort(alertsPublished(at.stream, 'live_alert')).join(' | ')}`);
      t.equal(raised.filter(({ rule_id }) => rule_id === 'suspect_remote_id').length, 1, what);
      const others = raised.filter(({ rule_id }) => rule_id !== 'suspect_remote_id');
      // Each is one of few at first, and in the zone: until there are five, each may be the one that matters.
      const [least, most] = zone ? [1, 5] : [0, 0];
      t.ok(others.length >= least && others.length <= most, `${what}: ${inShort(others).join('\n')}`);
      t.ok(
        others.every(({ rule_id }) => ['unidentified_in_protected_zone', 'zone_entry'].includes(rule_id)),
        what,
      );
      if (!flies)
        for (const { id } of others)
          t.ok(
            updates.some((update) => update.id === id && update.state === 'cleared'),
            `${what}: the flood tells of it`,
          );
      const last = updates.findLast(({ rule_id }) => rule_id === 'suspect_remote_id');
      // Leaps that agree by chance are a second stream of their address, which is a track of its own.
      const count = last?.count ?? 0;
      t.ok(count >= 15 && count <= (flies ? 15 : 17), `${what}: all are in it: ${count}`);
    }),
  );
});
