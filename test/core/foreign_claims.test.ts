import t from 'tap';
import { ForeignClaims } from '../../src/core/tracks/foreign_claims.ts';
import type { Claim, Observation } from '../../src/model/observation.ts';
import type { CoreOutput, TrackCard } from '../../src/model/track_row.ts';
import { restoredTrack } from '../../src/world/restore.ts';
import { randomFrom } from '../support/basics/random.ts';
import { seedOf } from '../support/basics/seed.ts';
import { CoreWitness } from '../support/core/core.ts';
import { positionAt } from '../support/core/observation.ts';

const sensorId = '00000000-0000-8000-8000-00000000000a';
const words = ['friend', 'hostile', 'neutral', 'unknown'] as const;

function event(atMs: number, uid: string, says: Claim['says'] | null, more: Partial<Observation> = {}): Observation {
  const claim = says === null ? null : { source: 'TAK', says, fromProven: false };
  const identities = [
    { type: 'external', value: uid, transport: 'network' } as const,
    { type: 'callsign', value: 'SAME', transport: 'network' } as const,
  ];
  return positionAt(atMs, atMs / 100, 0, { sensorId, linkId: 'a', identities, claim, ...more });
}

t.test('a claim is kept with the time of its first statement, and the newest of a system counts', async (t) => {
  const core = new CoreWitness();
  const claims = () => core.cards.get(1)?.claims;
  for (let s = 0; s < 4; s++) core.step(s * 1_000, event(s * 1_000, 'u', 'unknown'));
  t.same(claims(), [{ source: 'TAK', says: 'unknown', atMs: 0 }]);
  for (let s = 4; s < 8; s++) core.step(s * 1_000, event(s * 1_000, 'u', 'hostile'));
  t.same(claims(), [{ source: 'TAK', says: 'hostile', atMs: 4_000 }]);
});

t.test(
  'two aircraft with one callsign over the network are two, and neither is a duplicate or has a name',
  async (t) => {
    const core = new CoreWitness();
    for (let s = 0; s < 10; s++) {
      const [atMs, lonDeg] = [s * 1_000, 8.05];
      core.step(atMs, event(atMs, 'one', 'friend'), event(atMs, 'two', 'hostile', { lonDeg, linkId: 'b' }));
    }
    t.same(core.numbers(), [1, 2]);
    for (const card of core.cards.values()) {
      t.same(card.flags, []);
      t.equal(card.integrity.verdict, 'unchecked');
      t.equal(card.claims.length, 1);
    }
  },
);

/** What a core publishes of a flight on which another system says these words. */
function publishedWith(says: (s: number) => Claim['says'] | null): Omit<CoreOutput, 'assessment'>[] {
  const core = new CoreWitness();
  return Array.from({ length: 40 }, (_, s) => {
    const { assessment: _assessment, ...output } = core.step(s * 1_000, event(s * 1_000, 'u', says(s)));
    const cards = output.cards.map(({ claims: _claims, ...card }) => card as TrackCard);
    return { ...output, cards };
  });
}

t.test('nothing that the core publishes of a track depends on a claim, but the claim', async (t) => {
  const random = randomFrom(seedOf(t));
  const plain = publishedWith(() => null);
  for (let turn = 0; turn < 8; turn++) {
    const said = Array.from({ length: 40 }, () => words[Math.floor(random() * 4)] ?? 'unknown');
    const published = publishedWith((s) => said[s] ?? 'unknown');
    published.forEach((output, s) => {
      // A change of the claim publishes the description again; what it says besides is the same.
      const before = plain[s];
      t.strictSame([...output.rows], [...(before?.rows ?? [])]);
      t.strictSame([output.removed, [...output.assigned]], [before?.removed, [...(before?.assigned ?? [])]]);
    });
    const last = (outputs: typeof plain) => outputs.flatMap(({ cards }) => cards).at(-1);
    const bare = (card: TrackCard | undefined) => card && { ...card, identities: [], contributors: [] };
    t.strictSame(bare(last(published)), bare(last(plain)));
  }
});

t.test('a restored track keeps its claims, and the system’s next word replaces its last', async (t) => {
  const at = '2026-05-01T10:00:00.000Z';
  const said = { claims: [{ source: 'TAK', says: 'friend', at }], lineage: [] };
  const left = { ...said, identities: [], contributors: [], number: 'T-0001' };
  const nowMs = Date.parse(at) + 60_000;
  const clock = { nowMs: () => nowMs, utcMs: (ms: number) => ms };
  const restored = restoredTrack({ ...left, first_seen_at: at, last_seen_at: at } as never, clock);
  const [claim] = restored.claims;
  t.same(claim, { source: 'TAK', says: 'friend', atMs: Date.parse(at) });
  const claims = ForeignClaims.of(restored.claims);
  const take = (says: Claim['says'], atMs: number) =>
    claims.take({ source: 'TAK', says, fromProven: false }, 'u', atMs);
  t.equal(take('friend', nowMs), false, 'the same word is no news');
  t.same(claims.list(), [claim]);
  t.equal(take('neutral', nowMs), true);
  t.same(claims.list(), [{ source: 'TAK', says: 'neutral', atMs: nowMs }]);
});
