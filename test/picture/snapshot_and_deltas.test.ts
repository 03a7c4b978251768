import fc from 'fast-check';
import t from 'tap';
import { type Affiliator, type Decision, type Judged, unknownTrack } from '../../src/model/affiliation.ts';
import { idleSim } from '../../src/model/picture.ts';
import { formatTime } from '../../src/model/time.ts';
import { trackSchema } from '../../src/model/track.ts';
import type { PictureEvent } from '../../src/picture/events.ts';
import { PictureState } from '../../src/picture/picture.ts';
import { seedOf } from '../support/basics/seed.ts';
import { sized } from '../support/basics/size.ts';
import { PackedCore } from '../support/core/core.ts';
import { mac, positionAt, serial } from '../support/core/observation.ts';

type Row = Record<string, unknown> & { id: string };

/** What a client holds: a snapshot's tracks and every event since. */
class Client {
  readonly tracks: Map<string, Row>;
  seq: number;
  constructor(picture: PictureState) {
    const snapshot = picture.snapshot();
    this.tracks = new Map(snapshot.tracks.map((track) => [track.id, { ...track }]));
    this.seq = snapshot.seq;
  }
  apply(event: PictureEvent): void {
    if (event.seq !== this.seq + 1) throw new Error(`${event.seq} after ${this.seq}`);
    this.seq = event.seq;
    if (event.kind === 'track_new') this.tracks.set(event.body.id, { ...event.body });
    if (event.kind === 'track_update' || event.kind === 'track_state') {
      const track = this.tracks.get(event.body.id);
      if (!track) throw new Error(`${event.kind} of a track that was never new`);
      const { was, ...fields } = event.body as Row & { was?: unknown };
      Object.assign(track, fields);
    }
    if (event.kind === 'track_removed') {
      if (!this.tracks.delete(event.body.id)) throw new Error('removed a track that was never new');
    }
  }
}

function scene(trackHz: number, unwatched = false, affiliator?: Affiliator) {
  const clock = { ms: 1_700_000_000_000 };
  const deps = {
    ...(affiliator ? { affiliator } : {}),
    nowMs: () => clock.ms,
    publishMs: () => clock.ms,
    sim: () => idleSim,
    timeText: formatTime,
    mslOfHae: (hae: number) => hae - 48,
    groundAltHaeM: () => null,
    ...{ alerts: () => [], engagements: () => [] },
    provenance: 'live' as const,
  };
  const picture = new PictureState({ epoch: 'e', workspaceId: 'wsp_x', trackHz, environment: 'live', unwatched }, deps);
  const core = new PackedCore({ maxTracks: 6 });
  return { clock, picture, core };
}

const action = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('see' as const),
      who: fc.integer({ min: 0, max: 8 }),
      named: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 20_000 }) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('flush' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('join' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('hold' as const),
      who: fc.integer({ min: 0, max: 4 }),
      as: fc.constantFrom('friend', 'hostile', 'clone', null),
    }),
  },
);

/** A registry of the tests: what each serial is held for. */
class Held implements Affiliator {
  generation = 0;
  readonly #held = new Map<string, 'friend' | 'hostile' | 'clone'>();
  hold(key: string, as: 'friend' | 'hostile' | 'clone' | null): void {
    this.generation++;
    if (as === null) this.#held.delete(key);
    else this.#held.set(key, as);
  }
  match(identities: readonly { value: string }[]): readonly string[] {
    return identities.flatMap(({ value }) => (this.#held.has(value) ? [value] : []));
  }
  moves(): boolean {
    return false;
  }
  decide(_track: Judged, [key = '']: readonly string[]): Decision {
    const as = this.#held.get(key) ?? 'clone';
    if (as === 'clone') return { ...unknownTrack, cloned: { id: key, name: key } };
    return {
      affiliation: as,
      affiliation_basis: 'assignment',
      asset_id: assetIds[Number(key.slice(1))] ?? null,
      cloned: null,
    };
  }
}
const assetIds = Array.from({ length: 5 }, (_, n) => `5e0f6a52-0d3c-8a11-9c55-00000000000${n}`);

const given = [fc.array(action, { maxLength: 120 }), fc.integer({ min: 1, max: 20 }), fc.boolean()] as const;

t.test(
  'a snapshot and every delta since are the picture, and numbers have no gap, whenever somebody began to watch',
  async (t) => {
    fc.assert(
      fc.property(...given, (actions, trackHz, unwatched) => {
        const held = new Held();
        const { clock, picture, core } = scene(trackHz, unwatched, held);
        const clients = unwatched ? [] : [new Client(picture)];
        const flush = (): void => {
          for (const event of picture.flush()) for (const client of clients) client.apply(event);
        };
        for (const act of actions) {
          if (act.kind === 'wait') clock.ms += act.ms;
          if (act.kind === 'flush') flush();
          if (act.kind === 'hold') {
            held.hold(`S${act.who}`, act.as);
            picture.reconsider();
          }
          if (act.kind === 'see') {
            const identities = [mac(`M${act.who}`), ...(act.named ? [serial(`S${act.who % 5}`)] : [])];
            picture.apply(core.step([positionAt(clock.ms, act.who * 50, 0, { identities, altHaeM: 500 })], clock.ms));
          } else picture.apply(core.step([], clock.ms));
          if (unwatched) picture.settle();
          if (act.kind === 'join') {
            picture.watch();
            flush();
            clients.push(new Client(picture));
          }
        }
        clock.ms += 2_000;
        flush();
        const rowsOf = (rows: Iterable<unknown>): string =>
          JSON.stringify([...rows].map((row) => sortKeys(row as Row)).sort((a, b) => (a < b ? -1 : 1)));
        const truth = rowsOf(picture.snapshot().tracks);
        for (const client of clients)
          if (rowsOf(client.tracks.values()) !== truth)
            throw new Error(`${rowsOf(client.tracks.values())}\nis not\n${truth}`);
        for (const track of picture.snapshot().tracks) trackSchema.parse(track);
      }),
      { seed: seedOf(t), numRuns: sized(300) },
    );
  },
);

function sortKeys(row: Row): string {
  return JSON.stringify(Object.fromEntries(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1))));
}

t.test('a track is told at once after a pause, and then no more often than asked', async (t) => {
  const { clock, picture, core } = scene(4);
  const see = (): void => picture.apply(core.step([positionAt(clock.ms, 0, 0, { identities: [mac('A')] })], clock.ms));
  see();
  t.equal(picture.flush()[0]?.kind, 'track_new', 'a new track at once');
  const told: number[] = [];
  for (let i = 0; i < 200; i++) {
    clock.ms += 10;
    see();
    if (picture.flush().some((event) => event.kind === 'track_update')) told.push(clock.ms);
  }
  t.equal(told.length, 8, 'two seconds at 4 Hz');
  clock.ms += 3_000;
  see();
  t.ok(
    picture.flush().some((event) => event.kind === 'track_update'),
    'at once after a pause',
  );
});

t.test('a change of state does not wait', async (t) => {
  const { clock, picture, core } = scene(0.1);
  const see = (): void => picture.apply(core.step([positionAt(clock.ms, 0, 0, { identities: [mac('A')] })], clock.ms));
  see();
  picture.flush();
  clock.ms += 100;
  see();
  t.match(picture.flush(), [{ kind: 'track_state', body: { state: 'confirmed', was: 'tentative' } }]);
});

t.test('who a track is does not wait, and a clone is told of once', async (t) => {
  const held = new Held();
  const { clock, picture, core } = scene(0.1, false, held);
  const told: string[] = [];
  picture.judged.add(({ clone }) => void (clone && told.push(clone.id)));
  const see = (): void => {
    clock.ms += 100;
    picture.apply(core.step([positionAt(clock.ms, 0, 0, { identities: [serial('S1')] })], clock.ms));
  };
  see();
  picture.flush();
  see();
  picture.flush();
  see();
  const turn = (as: 'friend' | 'clone' | null) => {
    held.hold('S1', as);
    picture.reconsider();
    return picture.flush().find(({ kind }) => kind === 'track_update')?.body;
  };
  t.match(turn('friend'), { affiliation: 'friend', asset_id: assetIds[1] });
  t.match(turn('clone'), { affiliation: 'unknown', asset_id: null, flags: ['id_duplicate'] });
  t.match(turn('friend'), { affiliation: 'friend', flags: [] });
  t.match(turn('clone'), { affiliation: 'unknown' });
  t.match(turn(null), { flags: [] });
  t.equal(turn(null), undefined, 'what changed nothing is not told');
  t.same(told, ['S1']);
});
