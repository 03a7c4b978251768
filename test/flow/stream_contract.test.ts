import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { EventKind } from '../../src/model/event.ts';
import type { Picture } from '../../src/model/picture.ts';
import { folderOf } from '../support/basics/folder.ts';
import { startDaemon, until } from '../support/daemon/daemon.ts';
import { picture, trackOf } from '../support/daemon/watch.ts';
import { Mirror } from '../support/http/event_parser.ts';
import { StreamClient, type StreamEvent } from '../support/http/stream_client.ts';
import { paced, udpSender } from '../support/links/senders.ts';
import { Aircraft, MavlinkReceiver } from '../support/sky/aircraft.ts';

const dir = folderOf(t, { data: {} });
const config = join(dir, 'short.yaml');
writeFileSync(
  config,
  `tracking: { coast_s: 1, lost_s: 2, close_s: 3 }
stream: { heartbeat_s: 1, replay_events: 30, track_hz: 4 }
`,
);
const link = 'name=rid,transport=udp,address=127.0.0.1:0,protocol=mavlink';
const daemon = await startDaemon(t, { dataDir: join(dir, 'data'), args: ['--config', config, '--link', link] });
const send = udpSender(t, await daemon.port('rid'));
const receiver = new MavlinkReceiver();
const first = await StreamClient.open(t, daemon);
const seqOf = ({ id }: StreamEvent): number => Number(id.split(':')[1]);
const lastId = (stream: StreamClient): string => stream.events.at(-1)?.id ?? '';

function fly(aircraft: Aircraft, times: number, everyMs: number): Promise<void> {
  return paced(times, everyMs, (turn) =>
    send(receiver.pack(aircraft, aircraft.messages(aircraft.location((turn * everyMs) / 1000)))),
  );
}

/** What a client holds that applied every event up to the picture's number. */
function heldAt(stream: StreamClient, shown: Picture): unknown {
  const mirror = new Mirror();
  for (const { event, data } of stream.events) {
    if (data.seq <= shown.seq || event === 'snapshot') mirror.apply({ ...data, kind: event as EventKind });
  }
  return mirror.rows();
}

function rowsOf(shown: Picture): unknown {
  const mirror = new Mirror();
  mirror.apply({ kind: 'snapshot', seq: shown.seq, body: shown });
  return mirror.rows();
}

/** Waits until a client that had everything holds what GET /api/picture answers. */
async function agree(stream: StreamClient): Promise<Picture> {
  return until(async () => {
    const shown = await picture(daemon);
    if (shown.seq > seqOf(stream.events.at(-1) as StreamEvent)) return null;
    return JSON.stringify(heldAt(stream, shown)) === JSON.stringify(rowsOf(shown)) ? shown : null;
  }, 'the stream and the picture agree');
}

t.test('the first event is the picture, and numbers follow it without a gap', async (t) => {
  const aircraft = new Aircraft({ mac: '60:60:1F:00:04:01', serial: '1581F5FKD2294E000001' });
  await fly(aircraft, 30, 50);
  const shown = await agree(first);
  const [snapshot, ...deltas] = first.events;
  t.equal(snapshot?.event, 'snapshot');
  t.equal(snapshot?.data.body.epoch, shown.epoch);
  t.equal(snapshot?.data.body.seq, seqOf(snapshot as StreamEvent));
  t.ok(first.events.every(({ id, data }) => id === `${shown.epoch}:${data.seq}`));
  const from = seqOf(snapshot as StreamEvent);
  t.same(
    deltas.map(seqOf),
    deltas.map((_, i) => from + 1 + i),
  );
  t.equal(shown.tracks.length, 1);
  t.ok(shown.sensors.length > 0 && shown.links.length === 1, 'sensors and links are compared too');
});

t.test('a busy track is told track_hz times a second, the first change at once', async (t) => {
  const aircraft = new Aircraft({ mac: '60:60:1F:00:04:02', serial: '1581F5FKD2294E000002' });
  const began = performance.now();
  const flight = fly(aircraft, 60, 25);
  const fresh = await first.next(({ event, data }) => event === 'track_new' && hasSerial(data.body, aircraft));
  const { id } = fresh.data.body;
  await flight;
  const flownS = (performance.now() - began) / 1000;
  await trackOf(daemon, aircraft.flight.serial, ({ state }) => state !== 'tentative');
  const told = first.events.filter(({ event, data }) => event === 'track_update' && data.body.id === id);
  const within = told.filter(({ data }) => Date.parse(data.at) - Date.parse(fresh.data.at) <= flownS * 1000);
  t.ok(within.length <= Math.ceil(flownS * 4) + 1, `told ${within.length} times in ${flownS.toFixed(2)} s`);
  t.ok(within.length >= 3);
  const times = [fresh, ...told].map(({ data }) => Date.parse(data.at));
  t.ok(
    times.slice(1).every((at, i) => at - (times[i] ?? 0) >= 240),
    'a quarter of a second apart',
  );
  const confirmed = first.events.find(({ event, data }) => event === 'track_state' && data.body.id === id);
  t.ok(
    confirmed === undefined || Date.parse(confirmed.data.at) - Date.parse(fresh.data.at) < 240,
    'a change of state does not wait',
  );
});

t.test('a track coasts, is lost and goes, each told once and in order', async (t) => {
  const aircraft = new Aircraft({ mac: '60:60:1F:00:04:03', serial: '1581F5FKD2294E000003' });
  await fly(aircraft, 3, 300);
  const { id } = await trackOf(daemon, aircraft.flight.serial);
  const gone = await first.next(({ event, data }) => event === 'track_removed' && data.body.id === id);
  t.same(gone.data.body, { id, reason: 'closed' });
  const told = first.events.filter(({ event, data }) => event === 'track_state' && data.body.id === id);
  t.same(
    told.map(({ data }) => data.body),
    [
      { id, state: 'confirmed', was: 'tentative' },
      { id, state: 'coasting', was: 'confirmed' },
      { id, state: 'lost', was: 'coasting' },
    ],
  );
  await agree(first);
  t.equal((await daemon.request(`/api/tracks/${id}`)).status, 404);
  t.equal((await daemon.request(`/api/tracks/${id}/history`)).status, 200, 'its history stays');
});

t.test('a client that was away for a moment goes on where it was', async (t) => {
  const away = await StreamClient.open(t, daemon);
  await away.next(({ event }) => event !== 'snapshot');
  const left = lastId(away);
  away.close();
  const aircraft = new Aircraft({ mac: '60:60:1F:00:04:04', serial: '1581F5FKD2294E000004' });
  await fly(aircraft, 6, 100);
  await trackOf(daemon, aircraft.flight.serial);
  const back = await StreamClient.open(t, daemon, `?last_event_id=${left}`);
  const [resume] = back.events;
  t.equal(resume?.event, 'resume');
  t.same(resume?.data.body, { from: left });
  await back.next(({ event, data }) => event === 'track_new' && hasSerial(data.body, aircraft));
  const from = Number(left.split(':')[1]);
  t.same(
    back.events.slice(1).map(seqOf),
    back.events.slice(1).map((_, i) => from + 1 + i),
  );
  t.notOk(
    back.events.some(({ event }) => event === 'snapshot'),
    'no picture where none is needed',
  );
});

t.test('a client of another epoch, or away for too long, begins with the picture', async (t) => {
  const { epoch, seq } = await picture(daemon);
  t.ok(seq > 31, 'the window of 30 events has passed');
  for (const left of [`elsewhere:${seq}`, `${epoch}:1`, `${epoch}:${seq + 1_000_000}`, 'nonsense']) {
    const stream = await StreamClient.open(t, daemon, `?last_event_id=${left}`);
    t.equal(stream.events[0]?.event, 'snapshot', left);
    stream.close();
  }
  const response = await fetch(`${daemon.url}/api/stream`, { headers: { 'last-event-id': `${epoch}:${seq}` } });
  const { value } = (await response.body?.getReader().read()) ?? {};
  t.match(Buffer.from(value ?? []).toString(), /event: snapshot/, 'the header alone changes nothing');
});

t.test('the stream shows that it lives when nothing happens', async (t) => {
  const before = first.comments;
  await until(async () => first.comments > before + 1, 'two heartbeats come');
  t.notOk(first.ended);
});

t.test('after everything the stream and the picture still agree', async (t) => {
  const shown = await agree(first);
  t.ok(shown.seq > 0);
});

function hasSerial(body: Record<string, unknown>, { flight }: Aircraft): boolean {
  return (body.identities as { value: string }[]).some(({ value }) => value === flight.serial);
}
