import t from 'tap';
import { Bursts } from '../../../src/edge/feed/bursts.ts';
import { LinkFeed } from '../../../src/edge/feed/link_feed.ts';
import { RowFeed } from '../../../src/edge/feed/row_feed.ts';
import { SensorStatuses } from '../../../src/edge/feed/sensor_statuses.ts';
import { createCotCodec } from '../../../src/edge/wire/cot/codec.ts';
import type { Rejection } from '../../../src/model/detection.ts';
import type { Observation } from '../../../src/model/observation.ts';
import { type ForeignEvent, foreignEvent } from '../../support/links/cot_events.ts';

const beginMs = Date.parse('2026-05-01T10:00:00Z');

type Sunk = { observation: Observation; why: Rejection | null };

/** A link of the protocol, and what it hands on. */
function openFeed(provesSender = false) {
  const sunk: Sunk[] = [];
  const deps = {
    settings: { maxAgeS: 10, aheadS: 2, senderMsgsPerS: 50, maxSenders: 100 },
    sensors: new SensorStatuses(
      (ms) => ms,
      () => beginMs,
    ),
    sink: (observation: Observation, why: Rejection | null): void => void sunk.push({ observation, why }),
  };
  const link = { id: 'link', name: 'tak', protocol: 'cot', maxMsgsPerS: 5_000, provesSender } as const;
  const own = { receiver: '', modality: 'external' } as const;
  deps.sensors.beginLink({ id: 'link', name: 'tak', silenceS: 30, own, isTrusted: false, isSerial: false });
  const feed = new LinkFeed({ ...deps, link, rows: new RowFeed(deps), bursts: new Bursts() }, beginMs);
  const codec = createCotCodec({ datagrams: true });
  /** Receives one event at a time after the begin; returns what was handed on. */
  const receive = (event: Partial<ForeignEvent>, afterMs: number, from = '10.0.0.1:4242'): Sunk | undefined => {
    const atMs = beginMs + afterMs;
    const bytes = foreignEvent({ uid: 'u', timeMs: atMs, lat: 47, lon: 8, ...event });
    codec.decode(bytes, from, atMs, (message) => feed.take(message, from, atMs));
    return sunk.at(-1);
  };
  return { receive, sunk, sensors: deps.sensors };
}

t.test('the type gives class and claim, and a class that it does not tell stays open', async (t) => {
  const { receive } = openFeed();
  const cases = [
    ['a-f-A-M-H-Q', 'multirotor', 'friend'],
    ['a-a-A-M-H-Q-X', 'multirotor', 'friend'],
    ['a-h-A-M-F-Q', 'fixed_wing', 'hostile'],
    ['a-s-A-C-F-q', 'fixed_wing', 'hostile'],
    ['a-n-A-C-F', 'crewed_aircraft', 'neutral'],
    ['a-u-A-M-H', null, 'unknown'],
    ['a-p-A', null, 'unknown'],
    ['a-.-A-M-H-QQ', null, 'unknown'],
  ] as const;
  for (const [i, [type, expected, says]] of cases.entries()) {
    const { classification, claim } = receive({ type, uid: `u${i}` }, i * 100)?.observation ?? {};
    t.same(classification, expected === null ? [] : [{ type: expected, confidence: 0.7 }], type);
    t.same(claim, { source: 'TAK', says, fromProven: false }, type);
  }
});

t.test('errors come from ce and le, and count twice where a place was relayed or predicted', async (t) => {
  const { receive } = openFeed();
  const of = (event: Partial<ForeignEvent>) => {
    const { sigmaHM, sigmaVM } = receive(event, 0)?.observation ?? {};
    return [sigmaHM, sigmaVM];
  };
  t.same(of({ haeM: 100, ceM: 6, leM: 8 }), [6, 8]);
  t.same(of({ haeM: 100 }), [50, 50]);
  t.same(of({ ceM: 6, leM: 8 }), [6, null], 'no height, no error of it');
  t.same(of({ haeM: 100, ceM: 6, how: 'm-r' }), [12, 100]);
  t.same(of({ haeM: 100, ceM: 6, leM: 8, how: 'm-p' }), [12, 16]);
});

t.test('an event is one observation with the number and callsign of the other system', async (t) => {
  const { receive } = openFeed(true);
  const sunk = receive({ uid: 'x.9', callsign: 'HAWK', startMs: beginMs + 400, course: 90, speed: 12 }, 1_000);
  t.match(sunk, {
    why: null,
    observation: {
      ...{ report: 'position', use: 'measure', authentic: false, courseDeg: 90, speedMps: 12 },
      identities: [
        { type: 'external', value: 'x.9', transport: 'network' },
        { type: 'callsign', value: 'HAWK', transport: 'network' },
      ],
      ...{ sourceMs: beginMs + 400, timeMs: beginMs + 400, claim: { fromProven: true } },
    },
  });
});

t.test('each sender is a sensor, whatever its port', async (t) => {
  const { receive, sensors } = openFeed();
  receive({}, 0, '10.0.0.1:1');
  receive({ lat: 47.1 }, 100, '10.0.0.1:2');
  receive({ lat: 47.2 }, 200, '[fd00::1]:3');
  const named = sensors.all().map(({ name }) => name);
  t.ok(named.includes('tak 10.0.0.1') && named.includes('tak [fd00::1]'), named.join());
  t.equal(named.filter((name) => name.startsWith('tak ')).length, 2);
});

t.test('a repeated event counts once', async (t) => {
  const { receive, sunk } = openFeed();
  const same = { timeMs: beginMs };
  receive(same, 0);
  receive({ ...same, staleMs: beginMs + 60_000 }, 3_000);
  receive(same, 3_100, '10.0.0.2:4242');
  receive({ ...same, lat: 47.001 }, 3_200);
  t.same(
    sunk.map(({ observation }) => observation.use),
    ['measure', 'repeat', 'repeat', 'measure'],
  );
});

t.test('an event that holds no more is refused, by the clock of its sender', async (t) => {
  const old = (afterMs: number, ageMs: number) => ({
    timeMs: beginMs + afterMs - ageMs,
    staleMs: beginMs + afterMs - ageMs + 30_000,
    lat: 47 + afterMs / 1e8,
  });
  const { receive } = openFeed();
  t.equal(receive(old(0, 0), 0)?.why, null);
  t.equal(receive(old(1_000, 40_000), 1_000)?.why, 'too_old');
  t.equal(receive(old(2_000, 0), 2_000)?.why, null, 'an old event teaches nothing about the clock');

  const late = openFeed();
  const reasons = [0, 1_000, 2_000, 3_000].map((afterMs) => late.receive(old(afterMs, 3_600_000), afterMs)?.why);
  t.same(reasons, ['too_old', 'too_old', null, null], 'a clock that is an hour late is learnt');
  t.equal(late.receive({ ...old(4_000, 3_640_000), staleMs: beginMs - 3_600_000 }, 4_000)?.why, 'too_old');

  const early = openFeed();
  for (const afterMs of [0, 1_000, 2_000]) t.equal(early.receive(old(afterMs, -3_600_000), afterMs)?.why, null);
  const stale = { ...old(3_000, -3_600_000), staleMs: beginMs + 3_600_000 };
  t.equal(early.receive(stale, 3_000)?.why, 'too_old', 'a clock that is an hour early makes no event last longer');

  const server = openFeed();
  for (let i = 0; i < 20; i++) server.receive({ ...old(i, 600_000 - i * 20_000), uid: `left ${i}` }, i);
  const live = [1, 2, 3, 4, 5, 6].map((s) => server.receive({ ...old(s * 1_000, 0), uid: 'live' }, s * 1_000)?.why);
  t.same(live.slice(-2), [null, null], 'the last events of everybody, which a server sends first, do not lock it out');
});

/** An event of an author whose clock is late, at a place of its own. */
const dated = (uid: string, afterMs: number, lateMs: number): Partial<ForeignEvent> => {
  const timeMs = beginMs + afterMs - lateMs;
  return { uid, timeMs, startMs: timeMs, staleMs: timeMs + 30_000, lat: 47 + afterMs / 1e8 };
};

t.test('an author with a wrong clock behind a server dates its own events alone', async (t) => {
  for (const lateMs of [3_600_000, -3_600_000, 40_000]) {
    const { receive, sunk } = openFeed();
    for (let s = 0; s < 20; s++) {
      receive(dated('wrong', s * 1_000, lateMs), s * 1_000);
      receive(dated('wrong too', s * 1_000 + 20, lateMs), s * 1_000 + 20);
      receive(dated('right', s * 1_000 + 50, 0), s * 1_000 + 50);
    }
    const of = (uid: string) => sunk.filter(({ observation }) => observation.identities[0]?.value === uid);
    t.equal(of('right').length, 20);
    for (const { observation, why } of of('right')) {
      t.equal(why, null, `${lateMs} ms`);
      t.equal(observation.timeMs, observation.receivedMs, `${lateMs} ms`);
    }
    t.same(of('wrong').at(-1)?.why, null, 'its own clock is learnt');
  }
});

t.test('the last event of somebody who left, which a server sends at each connection, teaches nothing', async (t) => {
  const { receive } = openFeed();
  const last = dated('left', 0, 600_000);
  const reasons = [0, 1_000, 2_000, 3_000, 4_000].map((afterMs) => receive(last, afterMs)?.why);
  t.same(new Set(reasons), new Set(['too_old']));
});
