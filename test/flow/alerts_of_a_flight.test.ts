import { join } from 'node:path';
import t from 'tap';
import type { Track } from '../../src/model/track.ts';
import type { Zone } from '../../src/model/zone.ts';
import { folderOf } from '../support/basics/folder.ts';
import { onlyInFull, takeTime } from '../support/basics/patience.ts';
import { placeAt } from '../support/basics/place.ts';
import { type Frame, framesOf } from '../support/core/remote_id_receiver.ts';
import { alertsPublished, inShort, must, nextAlert, zoneEvents } from '../support/daemon/alerts.ts';
import { startDaemon } from '../support/daemon/daemon.ts';
import { sample, samplesMissing } from '../support/daemon/dunlin.ts';
import { trackOf } from '../support/daemon/watch.ts';
import { StreamClient } from '../support/http/stream_client.ts';
import { type Send, udpSender } from '../support/links/senders.ts';
import { Aircraft, MavlinkReceiver } from '../support/sky/aircraft.ts';

onlyInFull(t);
takeTime(t, 120);
const options = { skip: samplesMissing };
const link = 'name=net,transport=udp,address=127.0.0.1:0,protocol=mavlink';
const serial = '1588E040445AC004418';
const home = { lat: 47.1987, lon: 8.7302 };
/** Over 100 s into the flight it comes down again: it is played from before its climb. */
const FROM_S = 50;
const flight = samplesMissing ? [] : framesOf(sample('remote_id/anafi4_real.derived_mavlink.jsonl'));
const begins = (flight[0]?.atMs ?? 0) + FROM_S * 1_000;
const amid = flight.filter(({ atMs }) => atMs >= begins);
const receiver = new MavlinkReceiver();

/** Plays frames at the pace at which they were heard, for so many seconds. */
async function play(send: Send, frames: readonly Frame[], seconds: number): Promise<void> {
  const beganMs = performance.now();
  for (const { atMs, mac, messages } of frames) {
    const dueMs = atMs - begins;
    if (dueMs > seconds * 1_000) return;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, beganMs + dueMs - performance.now())));
    await send(receiver.pack(new Aircraft({ mac, serial }), messages as never));
  }
}

type Message = Frame['messages'][number];
const changed = (frame: Frame, change: (message: Message, s: number) => object): Frame => ({
  ...frame,
  messages: frame.messages.map((message) => ({
    ...message,
    ...change(message, (frame.atMs - begins) / 1_000),
  })) as Message[],
});

/** The flight as another aircraft has it that flies on from another place. */
function carried(frame: Frame, as: { mac: string; serial: string; metres: number; speedMps: number }): Frame {
  const renamed = changed(frame, (message, s) => {
    if (message.type === 'basic_id') return { uasId: as.serial };
    if (message.type !== 'location') return {};
    const from = { lat: message.latDeg ?? 0, lon: message.lonDeg ?? 0 };
    const { lat, lon } = placeAt(placeAt(from, 270, as.metres), 90, as.speedMps * s);
    return { latDeg: lat, lonDeg: lon, speedHMps: as.speedMps, directionDeg: 90 };
  });
  return { ...renamed, mac: as.mac };
}

t.test(
  'the real flight raises nothing; one that flies through a zone is one visit and one alert',
  options,
  async (t) => {
    const daemon = await startDaemon(t, { args: ['--link', link] });
    const send = udpSender(t, await daemon.port('net'));
    const zoneAt = (name: string, azimuthDeg: number, metres: number, alarm: object): Promise<Zone> => {
      const { lat, lon } = placeAt(home, azimuthDeg, metres);
      const geometry = { type: 'Point', coordinates: [lon, lat], radius_m: 60 };
      return must<Zone>(daemon, '/api/zones', { name, kind: 'protected', geometry, alarm });
    };
    await zoneAt('away', 0, 1_500, { on: ['approach', 'enter', 'exit', 'dwell'] });
    const apron = await zoneAt('apron', 270, 3_000, { on: ['enter'], dwell_s: 4, hysteresis_m: 20 });
    const stream = await StreamClient.open(t, daemon);
    const other = { mac: '90:3A:E6:00:00:01', serial: '1588E040445AC004419', metres: 3_180, speedMps: 12 };
    const through = amid.map((frame) => carried(frame, other));
    const playing = Promise.all([play(send, amid, 28), play(send, through, 28)]);
    const [real, passing] = await Promise.all([trackOf(daemon, serial), trackOf(daemon, other.serial)]);
    await playing;
    const over = await nextAlert(
      stream,
      ({ state, rule_id }) => state === 'cleared' && rule_id === 'zone_entry',
      15_000,
    );
    t.same(zoneEvents(stream, passing.id, apron.id), ['approach', 'enter', 'dwell', 'exit']);
    const raised = alertsPublished(stream, 'alert');
    t.same(
      raised.map(({ rule_id, track_ids, zone_id, severity }) => ({ rule_id, track_ids, zone_id, severity })),
      [{ rule_id: 'zone_entry', track_ids: [passing.id], zone_id: apron.id, severity: 'warning' }],
      inShort(raised).join('\n'),
    );
    t.match(over, { id: raised[0]?.id, track_ids: [passing.id] });
    for (const { id } of [real, passing]) {
      const said = stream.events.filter(({ data: { body } }) => body.id === id && body.integrity !== undefined);
      const reasons = said.flatMap(({ data }) => (data.body.integrity as Track['integrity']).reasons);
      t.same(reasons, [], 'nothing speaks against it, at any time');
    }
    t.equal(alertsPublished(stream, 'alert', 'suspect_remote_id').length, 0);
  },
);

const lies: Record<string, (message: Message) => object> = {
  'a clock that stands': (message) => (message.type === 'location' ? { secondsAfterHour: 1_000 } : {}),
  'leaps of 300 m': (message) => {
    if (message.type !== 'location') return {};
    const second = Math.floor(message.secondsAfterHour ?? 0);
    const to = placeAt({ lat: message.latDeg ?? 0, lon: message.lonDeg ?? 0 }, (second * 97) % 360, 300);
    return { latDeg: to.lat, lonDeg: to.lon };
  },
  'a pilot 25 km away': (message) =>
    message.type === 'system' && message.operatorLatDeg !== null
      ? { operatorLatDeg: message.operatorLatDeg + 25 / 111.2 }
      : {},
};
const all = (message: Message): object => {
  const said = { ...message };
  for (const lie of Object.values(lies)) Object.assign(said, lie(said as Message));
  return said;
};

t.test('a spoof of it, under its serial and address, is one alert within 5 s', options, async (t) => {
  const spoofs = Object.entries({ ...lies, 'all of them': all });
  const folder = folderOf(t, Object.fromEntries(spoofs.map(([what]) => [what, {}])));
  await Promise.all(
    spoofs.map(async ([what, lie]) => {
      const daemon = await startDaemon(t, { args: ['--link', link], dataDir: join(folder, what) });
      const send = udpSender(t, await daemon.port('net'));
      const stream = await StreamClient.open(t, daemon);
      const began = performance.now();
      const playing = play(
        send,
        amid.map((frame) => changed(frame, lie)),
        12,
      );
      const alert = await nextAlert(stream, ({ rule_id }) => rule_id === 'suspect_remote_id');
      const tookMs = Math.round(performance.now() - began);
      t.ok(tookMs < 5_000, `${what}: told after ${tookMs} ms: ${alert.text}`);
      t.comment(`${what}: ${tookMs} ms: ${alert.text}`);
      await playing;
      const raised = alertsPublished(stream, 'alert');
      t.equal(raised.length, 1, `${what}: ${inShort(raised)}`);
      t.match(raised[0], { severity: 'warning', state: 'active', subject: { type: 'track' }, count: 1 });
    }),
  );
});
