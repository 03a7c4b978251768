import t from 'tap';
import type { Asset } from '../../src/model/asset.ts';
import { takeTime } from '../support/basics/patience.ts';
import { placeAt } from '../support/basics/place.ts';
import { type Frame, framesOf } from '../support/core/remote_id_receiver.ts';
import { startDaemon, until } from '../support/daemon/daemon.ts';
import { sample, samplesMissing } from '../support/daemon/dunlin.ts';
import { trackOf, tracksOf } from '../support/daemon/watch.ts';
import { StreamClient } from '../support/http/stream_client.ts';
import { type Send, udpSender } from '../support/links/senders.ts';
import { Aircraft, MavlinkReceiver } from '../support/sky/aircraft.ts';

takeTime(t, 120);
const options = { skip: samplesMissing };
const serial = '1588E040445AC004418';
const FROM_S = 60;
const flight = samplesMissing ? [] : framesOf(sample('remote_id/anafi4_real.derived_mavlink.jsonl'));
const begins = flight[0]?.atMs ?? 0;
const amid = flight.filter(({ atMs }) => atMs >= begins + FROM_S * 1000);
const receiver = new MavlinkReceiver();

/** The frames of a flight that were sent: when, and so many ms of flight after the first. */
type Sent = { sentMs: number; flightMs: number }[];

/**
 * Plays frames for so many seconds of flight, no two of them closer than they were heard: a busy machine that caught up in
 * bursts would fly faster than the aircraft.
 */
async function play(send: Send, frames: readonly Frame[], seconds: number, sent: Sent = []): Promise<void> {
  let [before] = frames;
  for (const frame of frames) {
    const flightMs = frame.atMs - (frames[0]?.atMs ?? 0);
    if (flightMs > seconds * 1000) return;
    await new Promise((resolve) => setTimeout(resolve, frame.atMs - (before?.atMs ?? 0)));
    before = frame;
    sent.push({ sentMs: Date.now(), flightMs });
    await send(receiver.pack(new Aircraft({ mac: frame.mac, serial }), frame.messages as never));
  }
}

/** How far a flight had been sent at a time of the box, ms of flight. */
function flownAt(sent: Sent, at: string): number {
  return sent.findLast(({ sentMs }) => sentMs <= Date.parse(at))?.flightMs ?? Number.NaN;
}

/** The flight under other names. */
function renamed(mac: string, uasId: string, more: (frame: Frame, i: number) => Frame = (frame) => frame): Frame[] {
  return amid.map((frame, i) => {
    const messages = frame.messages.map((message) => (message.type === 'basic_id' ? { ...message, uasId } : message));
    return more({ ...frame, mac, messages }, i);
  });
}

function withLocation(frame: Frame, change: (lat: number, lon: number, second: number) => object): Frame {
  const messages = frame.messages.map((message) =>
    message.type === 'location'
      ? { ...message, ...change(message.latDeg ?? 0, message.lonDeg ?? 0, Math.floor(message.secondsAfterHour ?? 0)) }
      : message,
  );
  return { ...frame, messages };
}

const verdictOf = (integrity: unknown): string | undefined => (integrity as { verdict?: string } | undefined)?.verdict;

const frozen = (frame: Frame): Frame => withLocation(frame, () => ({ secondsAfterHour: 1_000 }));
const jumping = (frame: Frame): Frame =>
  withLocation(frame, (lat, lon, second) => {
    const to = placeAt({ lat, lon }, (second * 97) % 360, 300);
    return { latDeg: to.lat, lonDeg: to.lon };
  });
const distant = (frame: Frame): Frame => ({
  ...frame,
  messages: frame.messages.map((message) =>
    message.type === 'system' && message.operatorLatDeg !== null
      ? { ...message, operatorLatDeg: message.operatorLatDeg + 25 / 111.2 }
      : message,
  ),
});

t.test('the real flight, three lies made of it and all together, as the daemon tells them', options, async (t) => {
  const daemon = await startDaemon(t, {
    args: ['--link', 'name=net,transport=udp,address=127.0.0.1:0,protocol=mavlink'],
  });
  const send = udpSender(t, await daemon.port('net'));
  const stream = await StreamClient.open(t, daemon);
  const registered = await daemon.post('/api/assets', { name: 'Anafi', spec: { remote_id_serial: serial } });
  t.equal(registered.status, 200);
  const asset = registered.body.data as Asset;
  const lies = [
    { serial: '1588E040445AC004419', lie: frozen, reason: 'clock_inconsistent' },
    { serial: '1588E040445AC00441A', lie: jumping, reason: 'speed_inconsistent' },
    { serial: '1588E040445AC00441B', lie: distant, reason: 'operator_far' },
    { serial: '1588E040445AC00441C', lie: (of: Frame) => distant(jumping(frozen(of))), reason: 'operator_far' },
  ];
  const sent = lies.map((): Sent => []);
  const playing = [
    play(send, amid, 12),
    ...lies.map(({ serial, lie }, i) => play(send, renamed(`02:00:00:00:00:0${i}`, serial, lie), 12, sent[i])),
  ];
  const found = await Promise.all(
    lies.map(async (of, i) => {
      const { id } = await trackOf(daemon, of.serial);
      const { data } = await stream.next(
        ({ data: { body } }) => body.id === id && verdictOf(body.integrity) === 'suspect',
      );
      return { ...of, tookMs: flownAt(sent[i] ?? [], data.at) };
    }),
  );
  for (const { serial: of, tookMs, reason } of found) {
    t.ok(tookMs < 5_000, `${of} is suspect after ${Math.round(tookMs)} ms of flight`);
    t.comment(`${reason}: ${Math.round(tookMs)} ms`);
  }
  await Promise.all(playing);
  for (const { serial: of, reason } of lies) {
    const track = await trackOf(daemon, of);
    t.ok(
      track.integrity.reasons.some(({ id }) => id === reason),
      JSON.stringify(track.integrity),
    );
    t.equal(track.affiliation, 'unknown');
  }
  t.match(await trackOf(daemon, serial), {
    integrity: { verdict: 'unchecked', score: 0.5, reasons: [] },
    flags: [],
    affiliation: 'friend',
    affiliation_basis: 'remote_id',
    asset_id: asset.id,
  });

  const elsewhere = (frame: Frame): Frame =>
    withLocation(frame, (lat, lon) => {
      const to = placeAt({ lat, lon }, 30, 2_000);
      return { latDeg: to.lat, lonDeg: to.lon };
    });
  const later = amid.filter(({ atMs }) => atMs >= begins + (FROM_S + 12) * 1000);
  const replayed: Sent = [];
  const replaying = [play(send, later, 8), play(send, renamed('02:00:00:00:01:00', serial, elsewhere), 8, replayed)];
  const tracks = await until(async () => {
    const all = await tracksOf(daemon, serial);
    return all.length === 2 && all.every(({ integrity }) => integrity.verdict === 'suspect') ? all : null;
  }, 'flight and replay are both suspect');
  const tookMs = replayed.at(-1)?.flightMs ?? Number.NaN;
  t.ok(tookMs < 5_000, `the replay is suspect after ${Math.round(tookMs)} ms`);
  for (const { id } of tracks) {
    const track = await until(async () => {
      const now = (await tracksOf(daemon, serial)).find((of) => of.id === id);
      return now?.affiliation === 'unknown' ? now : null;
    }, 'neither is a friend');
    t.match(track, { affiliation_basis: 'none', asset_id: null });
    t.ok(track.flags.includes('id_duplicate'));
    t.ok(track.integrity.reasons.some(({ id }) => id === 'duplicate_identity'));
  }
  await Promise.all(replaying);
});
