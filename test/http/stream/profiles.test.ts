import t from 'tap';
import { sampleAlert } from '../../../src/http/openapi/alert_samples.ts';
import { sampleLink, sampleTrack } from '../../../src/http/openapi/samples.ts';
import { httpDefaults } from '../../../src/http/settings.ts';
import { Feed, type Profile } from '../../../src/http/stream/feed.ts';
import type { StreamEvent } from '../../../src/model/event.ts';
import { parseEvents, type Received } from '../../support/http/event_parser.ts';
import { createFakeStream, type FakeStream } from '../../support/http/fake_stream.ts';

const box = { box_at: '2025-06-01T12:00:00.000Z', trust: 'ntp' } as const;

/** A client of a feed that reads at once, from the picture or from where it left off. */
class Reader {
  text = '';
  readonly leave: () => void;

  constructor(feed: Feed, lastEventId: string | null = null, all: readonly Feed[] = [feed]) {
    const sink = {
      write: (bytes: Buffer) => this.take(bytes),
      unsent: () => 0,
      end: () => {},
      destroy: () => {},
    };
    this.leave = feed.join({ sink, isOwner: true }, lastEventId, all).leave;
  }

  private take(bytes: Buffer): void {
    this.text += bytes;
  }

  get events(): Received[] {
    return parseEvents(this.text).events;
  }

  get ticks() {
    return parseEvents(this.text).ticks;
  }

  of(kind: StreamEvent['kind']): Received[] {
    return this.events.filter((event) => event.kind === kind);
  }
}

function feedOf(stream: FakeStream, profile: Profile): Feed {
  return new Feed(stream, httpDefaults.stream, () => 0, { bytes: () => {}, cut: () => {} }, profile);
}

const move = (lat: number) => ({ id: 'a', position: { lat }, predicted: [{ in_s: 10 }] });

t.test('a tick has no id, and says the place in the stream, the time of the box and its trust', async (t) => {
  const stream = createFakeStream();
  for (const profile of ['full', 'light'] as const) {
    const feed = feedOf(stream, profile);
    const reader = new Reader(feed);
    stream.change('zone_event', { zone_id: 'z', track_id: 'a' });
    stream.flush();
    feed.pulse(box);
    t.same(reader.ticks, [{ seq: stream.seq, at: '2025-06-01T12:00:00.000Z', ...box }]);
    t.ok(/\n\nevent: tick\ndata: \{/.test(reader.text), 'no id stands before it');
    reader.leave();
  }
});

t.test('a client that is behind gets no tick', async (t) => {
  const stream = createFakeStream();
  const feed = feedOf(stream, 'full');
  let unsent = 0;
  let text = '';
  const take = (bytes: Buffer): void => {
    text += bytes;
  };
  feed.join(
    { sink: { write: (bytes) => take(bytes), unsent: () => unsent, end: () => {}, destroy: () => {} }, isOwner: true },
    null,
  );
  unsent = httpDefaults.stream.highWaterBytes + 1;
  stream.change('track_update', move(1));
  stream.flush();
  feed.pulse(box);
  t.notMatch(text, /event: tick/);
});

t.test('the light profile sends a track once a second without predictions, and nothing else later', async (t) => {
  const stream = createFakeStream();
  const feed = feedOf(stream, 'light');
  const light = new Reader(feed);
  const full = new Reader(feedOf(stream, 'full'));
  const tracks = light.events[0]?.body.tracks as { predicted: unknown[] }[] | undefined;
  t.same(
    tracks?.flatMap(({ predicted }) => predicted),
    [],
  );
  stream.change('track_new', sampleTrack);
  for (let n = 1; n <= 4; n++) {
    stream.change('track_update', move(n));
    stream.change('zone_event', { zone_id: 'z', track_id: 'a' });
    stream.change('alert', sampleAlert);
    stream.change('track_state', { id: 'a', state: 'lost', was: 'confirmed' });
    stream.flush();
  }
  t.equal(light.of('track_update').length, 0);
  for (const kind of ['zone_event', 'alert', 'track_state', 'track_new'] as const)
    t.equal(light.of(kind).length, full.of(kind).length, kind);
  feed.release();
  t.match(light.of('track_update'), [{ body: { id: 'a', position: { lat: 4 } } }]);
  feed.release();
  t.equal(light.of('track_update').length, 1, 'nothing new is sent again');
  t.notMatch(light.text, /"predicted":\[\{/);
  t.equal(full.of('track_update').length, 4);
});

t.test('counters wait for ten seconds; a state, an affiliation and an end do not', async (t) => {
  const stream = createFakeStream();
  const feed = feedOf(stream, 'light');
  const light = new Reader(feed);
  const link = (state: string, bytes: number): void => {
    stream.change('link_update', { ...sampleLink, state, bytes });
    stream.flush();
  };
  link('open', 1);
  link('open', 2);
  t.equal(light.of('link_update').length, 1, 'the first is its state');
  for (let second = 0; second < 9; second++) feed.release();
  t.equal(light.of('link_update').length, 1);
  feed.release();
  t.match(light.of('link_update').at(-1)?.body, { bytes: 2 });
  link('open', 3);
  link('backoff', 4);
  t.match(light.of('link_update').at(-1)?.body, { state: 'backoff', bytes: 4 });
  for (let second = 0; second < 10; second++) feed.release();
  t.match(light.of('link_update').at(-1)?.body, { bytes: 4 }, 'nothing older follows');
  stream.change('track_update', move(1));
  stream.change('track_update', { id: 'a', affiliation: 'hostile' });
  stream.flush();
  t.match(light.of('track_update').at(-1)?.body, { affiliation: 'hostile', position: { lat: 1 } });
  stream.change('track_update', move(2));
  stream.change('track_removed', { id: 'a', reason: 'closed' });
  stream.flush();
  feed.release();
  t.equal(light.events.at(-1)?.kind, 'track_removed', 'nothing follows an end');
});

t.test('a light client that comes back gets what was held back when it left', async (t) => {
  const stream = createFakeStream();
  const feed = feedOf(stream, 'light');
  const stays = new Reader(feed);
  const leaves = new Reader(feed);
  stream.change('track_update', move(1));
  stream.change('zone_event', { zone_id: 'z', track_id: 'a' });
  stream.flush();
  leaves.leave();
  stream.change('zone_event', { zone_id: 'y', track_id: 'a' });
  stream.flush();
  const again = new Reader(feed, leaves.events.at(-1)?.id ?? null);
  t.same(
    again.events.map(({ kind, body }) => [kind, body.zone_id ?? body.id ?? '']),
    [
      ['resume', ''],
      ['track_update', 'a'],
      ['zone_event', 'y'],
    ],
  );
  feed.release();
  t.equal(stays.of('track_update').length, 1);
});

t.test('rows of two vehicles and two commands that wait for a blocked client are two', async (t) => {
  const stream = createFakeStream();
  const feed = feedOf(stream, 'full');
  let unsent = 0;
  let text = '';
  const take = (bytes: Buffer): void => {
    text += bytes;
  };
  const sink = { write: (bytes: Buffer) => take(bytes), unsent: () => unsent, end: () => {}, destroy: () => {} };
  const client = feed.join({ sink, isOwner: true }, null);
  unsent = httpDefaults.stream.highWaterBytes + 1;
  for (const key of ['one', 'two']) stream.change('fleet_update', { key });
  for (const command_id of ['c1', 'c2']) stream.change('command_update', { command_id });
  stream.flush();
  unsent = 0;
  client.drained();
  const { events } = parseEvents(text);
  t.same(
    events.slice(1).map(({ body }) => body.key ?? body.command_id),
    ['one', 'two', 'c1', 'c2'],
  );
});

const zoneEvent = { zone_id: 'z', track_id: 'a' };

/** Returns what a client gets first that leaves a light feed after `before`, and joins the other feed of the hub. */
function firstAfterChange(other: Profile, before: (stream: FakeStream, light: Feed) => void): string | undefined {
  const stream = createFakeStream();
  const [light, next] = [feedOf(stream, 'light'), feedOf(stream, other)];
  const client = new Reader(light);
  before(stream, light);
  const id = client.events.at(-1)?.id ?? null;
  client.leave();
  return new Reader(next, id, [light, next]).events[0]?.kind;
}

t.test('a client that changes its profile does not resume after changes that were held back', (t) => {
  const urgent = { id: 'a', affiliation: 'hostile' };
  const cases: [string, (stream: FakeStream, light: Feed) => void][] = [
    [
      'in an earlier flush',
      (stream) => {
        stream.change('track_update', move(1));
        stream.flush();
        stream.change('zone_event', zoneEvent);
        stream.flush();
      },
    ],
    [
      'before the last event of a flush',
      (stream) => {
        stream.change('track_update', move(1));
        stream.change('zone_event', zoneEvent);
        stream.change('track_update', urgent);
        stream.flush();
      },
    ],
    [
      'while others are released',
      (stream, light) => {
        stream.change('track_update', move(1));
        stream.change('sensor_update', { id: 's', state: 'online' });
        stream.change('sensor_update', { id: 's', state: 'online', rate: 2 });
        stream.flush();
        light.release();
      },
    ],
  ];
  for (const [name, before] of cases) {
    t.equal(firstAfterChange('full', before), 'snapshot', name);
    t.equal(firstAfterChange('light', before), 'snapshot', `${name}, with another redaction`);
  }
  const nothing = (stream: FakeStream): void => {
    stream.change('zone_event', zoneEvent);
    stream.flush();
  };
  t.equal(firstAfterChange('full', nothing), 'resume', 'nothing was held back');
  t.end();
});

t.test('a full client resumes beside a light one, except at a number that the light one may have', (t) => {
  const stream = createFakeStream();
  const [light, full] = [feedOf(stream, 'light'), feedOf(stream, 'full')];
  new Reader(light);
  stream.change('track_update', move(1));
  stream.change('zone_event', zoneEvent);
  stream.change('track_update', move(2));
  stream.flush();
  const firstAt = (seq: number): string | undefined => new Reader(full, `e1:${seq}`, [light, full]).events[0]?.kind;
  t.same([1, 2, 3].map(firstAt), ['resume', 'snapshot', 'resume']);
  t.end();
});

t.test('a client does not resume in another feed within changes that were merged for it', (t) => {
  const stream = createFakeStream();
  const [one, other] = [feedOf(stream, 'full'), feedOf(stream, 'full')];
  for (let n = 0; n < 3; n++) stream.change('track_update', move(n));
  stream.flush();
  one.noteMerged('e1', 1, 3);
  t.equal(new Reader(other, 'e1:2', [one, other]).events[0]?.kind, 'snapshot');
  t.equal(new Reader(other, 'e1:3', [one, other]).events[0]?.kind, 'resume');
  t.end();
});
