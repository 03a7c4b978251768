import t from 'tap';
import { type Approver, rankChoices } from '../../src/console/state/approvable.ts';
import { sampleEngagement } from '../../src/http/openapi/engagement_samples.ts';
import type { Engagement, Plan } from '../../src/model/engagement.ts';

const now = '2026-06-01T10:00:00.000Z';
const later = '2026-06-01T10:01:00.000Z';
const [plan] = sampleEngagement.candidates as [Plan];
const scores: Record<string, number> = { impossible: 90, expired: 80, lost: 70, major: 60, minor: 30 };

/** A proposal about the track of that name. */
function proposal(id: string, change: Partial<Plan> = {}): Engagement {
  const offered = { ...plan, track_id: id, feasible: true, required_approvals: 1, expires_at: later, ...change };
  return { ...sampleEngagement, id, track_id: id, state: 'proposed', approvals: [], candidates: [offered] };
}
const engagements = [
  proposal('impossible', { feasible: false }),
  proposal('expired', { expires_at: now }),
  ...[proposal('lost'), proposal('minor'), proposal('major')],
];
const anna: Approver = {
  ...{ forbidden: null, userId: null, isSignedIn: false, nowMs: Date.parse(now) },
  trackOf: (id) => ({ state: id === 'lost' ? 'lost' : 'confirmed' }),
  threatOf: (id) => ({ level: 'high', score: scores[id] ?? 0 }),
  busy: () => null,
  say: (obstacle) => obstacle,
};

t.test('plans that can be approved come first, and each other one says why it cannot', async (t) => {
  t.same(
    rankChoices(engagements, anna).map(({ engagement, plans, isOpen }) => [engagement.id, isOpen, plans[0]?.why]),
    [
      ['major', true, null],
      ['minor', true, null],
      ['expired', false, 'planExpired'],
      ['lost', false, 'trackLost'],
      ['impossible', false, undefined],
    ],
  );
});

t.test('a plan of a vehicle that works for another engagement says so, and is not offered', async (t) => {
  const busy = (_: string, engagementId: string) => (engagementId === 'major' ? 'Heron is busy with T-0007.' : null);
  const ranked = rankChoices([proposal('major'), proposal('minor')], { ...anna, busy });
  t.same(
    ranked.map(({ engagement, isOpen, plans }) => [engagement.id, isOpen, plans[0]?.why]),
    [
      ['minor', true, null],
      ['major', false, 'Heron is busy with T-0007.'],
    ],
  );
});

t.test('the plans of a card keep the order of the box, whichever can be approved', async (t) => {
  const two = proposal('major');
  const [first] = two.candidates as [Plan];
  const legs = first.legs.map((leg) => ({ ...leg, asset_id: 'busy one' }));
  const both = {
    ...two,
    candidates: [
      { ...first, id: 'p', legs },
      { ...first, id: 'q' },
    ],
  };
  const busy = (assetId: string) => (assetId === 'busy one' ? 'It is busy.' : null);
  const [card] = rankChoices([both], { ...anna, busy });
  t.same(
    card?.plans.map((one) => [one.plan.id, one.why]),
    [
      ['p', 'It is busy.'],
      ['q', null],
    ],
  );
});

t.test('a higher level comes before a higher score', async (t) => {
  const levels: Record<string, 'high' | 'medium'> = { minor: 'high' };
  const threatOf = (id: string) => ({ level: levels[id] ?? 'medium', score: scores[id] ?? 0 });
  const ranked = rankChoices([proposal('major'), proposal('minor')], { ...anna, threatOf });
  t.same(
    ranked.map(({ engagement }) => engagement.id),
    ['minor', 'major'],
  );
});

t.test('where nothing can be approved the order is that of the scores', async (t) => {
  const stale = rankChoices(engagements, { ...anna, forbidden: 'The picture is stale.' });
  t.same(
    stale.map(({ engagement }) => engagement.id),
    ['expired', 'lost', 'major', 'minor', 'impossible'],
  );
  t.ok(stale.every(({ plans }) => plans.every(({ why }) => why === 'The picture is stale.')));
});

t.test('each plan has the seconds that are left of it', async (t) => {
  const leftAt = (ms: number) => rankChoices([proposal('major')], { ...anna, nowMs: ms })[0]?.plans[0]?.leftS;
  t.same([leftAt(Date.parse(now)), leftAt(Date.parse(now) + 1_000), leftAt(Date.parse(later))], [60, 59, 0]);
});
