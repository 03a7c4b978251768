import { rowFor } from '../../src/engagement/offer.ts';
import { plansOf, sealed } from '../../src/engagement/planner.ts';
import { type Case, roundOf } from '../../src/engagement/round.ts';
import type { Plan } from '../../src/model/engagement.ts';
import { randomFrom } from '../../test/support/basics/random.ts';
import { Field } from '../../test/support/engagement/engagement.ts';
import { microsecondsEach } from './cpu_time.ts';
import { median, quantile, type Row } from './row.ts';

const TARGET_MS = 10;
const WARM = 20;
const ROUNDS = 20;

/** What it costs to plan for all threats with all vehicles at once: every response that is offered, matched and put into plans. */
export function benchPlan(): Row[] {
  return [...measured(50, 50, { target: { below: TARGET_MS } }), ...measured(256, 100, {})];
}

function measured(threats: number, vehicles: number, target: Pick<Row, 'target'>): Row[] {
  const random = randomFrom(threats);
  const field = new Field();
  for (let i = 0; i < vehicles; i++) field.addVehicle(`V${i}`, {}, 360 * random(), 3_000 * random());
  const levels = ['medium', 'high', 'critical'] as const;
  for (let i = 0; i < threats; i++) {
    const velocity = { speed_mps: 20 * random(), course_deg: 359 * random(), climb_mps: 0 };
    field.addTrack(levels[i % 3] ?? 'high', { velocity }, 360 * random(), 4_000 * random());
  }
  const cases = casesOf(field);
  const given = {
    cases,
    cameras: new Map(),
    policy: field.policy,
    policyVersion: 1,
    doctrine: field.doctrine,
    utcMs: field.utcMs(),
  };
  const advice = { check: () => null, energy: () => null, risks: () => [] };
  const plan = (): Plan[] => {
    const fleet = [...field.vehicles.values()];
    return [
      ...plansOf(roundOf({ ...given, fleet, serves: () => null, tracks: [...field.seen.values()], advice })).values(),
    ].flat();
  };
  // Until the compiler has seen it.
  for (let round = 0; round < WARM; round++) plan();
  const times = Array.from({ length: ROUNDS }, () => microsecondsEach(1, plan) / 1_000);
  const plans = plan();
  const sealS = microsecondsEach(1, () => plans.map(sealed)) / 1_000;
  const legs = plans.reduce((sum, { legs }) => sum + legs.length, 0);
  const name = `${threats} threats × ${vehicles} vehicles`;
  return [
    { name, value: median(times), unit: 'ms', ...target },
    { name: `${name}, one in 20`, value: quantile(times, 0.95), unit: 'ms' },
    { name: `${name}, all of it sealed anew`, value: sealS, unit: 'ms' },
    { name: `${name}, planned`, value: legs, unit: 'legs' },
  ];
}

function casesOf({ seen, threats, doctrine }: Field): Case[] {
  return [...threats.values()].flatMap(({ track_id, level, score }) => {
    const track = seen.get(track_id);
    const row = track && rowFor(doctrine, 'elevated', level, track.affiliation);
    return row ? [{ track, level, score, row, wardId: null }] : [];
  });
}
