import t from 'tap';
import { ThreatScorer } from '../../../src/core/threat/threat_scorer.ts';
import { defaultPolicy } from '../../../src/model/decision_defaults.ts';
import { randomFrom } from '../../support/basics/random.ts';
import { seedOf } from '../../support/basics/seed.ts';
import { type Flyer, restOf, situationOf, type Thing, type Vector } from '../../support/core/threat_world.ts';

const scorer = new ThreatScorer();

const CASES = 100_000;
const MOST_JUMP = 5;

/** Where directions change fastest: near points and small discs, hardly moving or passing fast, about the ceiling. */
t.test(
  'beside a small thing, too, a metre or a tenth of a metre a second moves a score by 5 points at most',
  async (t) => {
    const random = randomFrom(seedOf(t));
    const within = (least: number, most: number): number => least + (most - least) * random();
    let most = 0;
    for (let i = 0; i < CASES; i++) {
      const radiusM = random() < 0.5 ? 0 : within(5, 300);
      const shape = { middle: [0, 0] as const, radiusM };
      const small: Thing = { id: 'a', kind: 'asset', importance: 1, ceilingM: 120, shape };
      const [angle, course, nudge] = [within(0, 6.3), within(0, 6.3), within(0, 6.3)];
      const fromM = radiusM + within(0, random() < 0.5 ? 120 : 600);
      const mps = within(0, random() < 0.5 ? 4 : 30);
      const flyer: Flyer = {
        place: [fromM * Math.cos(angle), fromM * Math.sin(angle), within(0, 200)],
        velocity: [mps * Math.cos(course), mps * Math.sin(course), within(-3, 3)],
        rest: restOf({ nameRequired: true, loiterS: within(0, 200) }),
      };
      const rises = within(-1, 1);
      const along = Math.sqrt(1 - rises * rises);
      const plus = ([e, n, u]: Vector, by: number): Vector => [
        e + by * along * Math.cos(nudge),
        n + by * along * Math.sin(nudge),
        u + by * rises,
      ];
      const was = scorer.score(situationOf(flyer, [small]), defaultPolicy).score;
      for (const other of [
        { ...flyer, place: plus(flyer.place, 1) },
        { ...flyer, velocity: plus(flyer.velocity, 0.1) },
      ])
        most = Math.max(most, Math.abs(was - scorer.score(situationOf(other, [small]), defaultPolicy).score));
    }
    t.ok(most <= MOST_JUMP, `at most ${most.toFixed(2)} points`);
  },
);
