import { ClaimWatch } from '../../src/core/integrity/claim_watch.ts';
import { Groups, type Member } from '../../src/core/threat/groups.ts';
import { beginCourse, follow } from '../../src/core/threat/levels.ts';
import { type AreaRelation, Situation } from '../../src/core/threat/situation.ts';
import { ThreatScorer } from '../../src/core/threat/threat_scorer.ts';
import { defaultPolicy } from '../../src/model/decision_defaults.ts';
import { microsecondsEach } from './cpu_time.ts';
import type { Row } from './row.ts';

const TRACKS = 1_000;
const THINGS = 3;
const ROUNDS = 50;

/** What it costs to know how much each of a thousand tracks matters, to say why, and who flies together. */
export async function benchScore(): Promise<Row[]> {
  const situations = Array.from({ length: TRACKS }, (_, i) => situationOf(i));
  const count = TRACKS * ROUNDS;
  const every = (work: (situation: Situation, i: number) => void): number =>
    microsecondsEach(count, () => {
      for (let round = 0; round < ROUNDS; round++)
        for (const [i, situation] of situations.entries()) work(situation, i);
    });
  const { levels, identity } = defaultPolicy;
  const scorer = new ThreatScorer();
  let sum = 0;
  const scored = every((situation) => {
    sum += scorer.score(situation, defaultPolicy).score;
  });
  const courses = situations.map((situation) =>
    beginCourse(scorer.score(situation, defaultPolicy), situation, levels, 0),
  );
  let nowMs = 0;
  const followed = every((situation, i) => {
    if (i === 0) nowMs += 100;
    const course = courses[i];
    if (course) follow(course, scorer.score(situation, defaultPolicy), situation, levels, nowMs);
  });
  const explained = every((situation) => {
    sum += scorer.explain(situation, defaultPolicy).factors.length;
  });
  const watches = situations.map(() => new ClaimWatch());
  let second = 0;
  const watched = every((_, i) => {
    if (i === 0) second++;
    watches[i]?.receive(toldAt(i, second), identity);
    sum += watches[i]?.holds(second, identity) ?? 0;
  });
  if (Number.isNaN(sum)) throw new Error('scores are no numbers');
  return [
    { name: `score, ${TRACKS} tracks, ${THINGS} things each`, value: scored, unit: 'µs', target: { atMost: 3 } },
    { name: 'score and level', value: followed, unit: 'µs', target: { atMost: 5 } },
    { name: 'in words, for who asks', value: explained, unit: 'µs' },
    { name: "a report's own contradictions", value: watched, unit: 'µs', target: { atMost: 10 } },
    { name: `groups, ${TRACKS} tracks over 10 km`, value: groupCost(10_000), unit: 'ms', target: { atMost: 2 } },
    { name: `groups, ${TRACKS} tracks over 600 m`, value: groupCost(600), unit: 'ms', target: { atMost: 10 } },
  ];
}

function situationOf(i: number): Situation {
  const standings = Array.from({ length: THINGS }, (_, thing) => standingOf(i, thing));
  const heightM = 20 + (i % 300);
  const named = i % 3 !== 0;
  return {
    ...new Situation(`T-${i}`),
    heightM,
    speedMps: i % 25,
    climbMps: (i % 7) - 3,
    named,
    nameRequired: true,
    relations: standings,
  };
}

function standingOf(i: number, thing: number): AreaRelation {
  const distanceM = ((i * 37 + thing * 911) % 6_000) - 200;
  const closingMps = ((i * 13 + thing * 7) % 40) - 20;
  return {
    id: `thing-${thing}`,
    kind: thing === 2 ? 'asset' : 'zone',
    zoneKind: thing === 2 ? null : 'protected',
    name: `thing ${thing}`,
    importance: 1,
    distanceM,
    heightGapM: 0,
    closingMps,
    cpaDistanceM: Math.max(0, distanceM * 0.2),
    cpaInS: closingMps > 0 ? Math.max(0, distanceM) / closingMps : 0,
    etaS: Number.POSITIVE_INFINITY,
    etaSigmaS: Number.NaN,
    dwellS: 0,
    operatorDistanceM: Number.NaN,
  };
}

function toldAt(i: number, s: number): Parameters<ClaimWatch['receive']>[0] {
  return {
    receivedS: s,
    sourceS: s,
    timeS: s,
    latDeg: 48 + s * 1e-4,
    lonDeg: 16 + i * 1e-4,
    heightM: 80,
    speedMps: 11.1,
    eastMps: 0,
    northMps: 11.1,
    climbMps: 0,
    sigmaM: 5,
    airborne: true,
    operatorLatDeg: 48,
    operatorLonDeg: 16,
  };
}

/** Milliseconds for one look at everybody in a square so wide. */
function groupCost(wideM: number): number {
  const members: Member[] = Array.from({ length: TRACKS }, (_, i) => ({
    number: i + 1,
    eastM: (i * 7_919) % wideM,
    northM: (i * 104_729) % wideM,
    upM: 0,
    altHaeM: 50 + (i % 100),
    eastMps: (i % 11) - 5,
    northMps: (i % 13) - 6,
    upMps: 0,
  }));
  const groups = new Groups();
  return (
    microsecondsEach(10, () => {
      for (let round = 0; round < 10; round++) groups.update(members);
    }) / 1_000
  );
}
