import { cpuUsage } from 'node:process';
import { Assessor } from '../../src/core/assess/assessor.ts';
import { Company } from '../../src/core/assess/company.ts';
import { RuleEvaluation } from '../../src/core/assess/rule_evaluation.ts';
import { Scorer } from '../../src/core/assess/scorer.ts';
import { ZoneWatch } from '../../src/core/site/zone_watch.ts';
import { Areas } from '../../src/core/tracking/areas.ts';
import { ASSETS, AssessWorld, TRACKS, ZONES } from './assess_world.ts';
import { quantile, type Row } from './row.ts';

const TARGET_MS = 5;
const WARM_S = 30;
const RUN_S = 150;
/** As steps follow each other in the worker. */
const STEP_S = 0.005;
const STEADY_S = 20;

/** What it costs to know which of the tracks matter: the whole of it, of a step in which all moved; by part; and as they come. */
export async function benchAssess(): Promise<Row[]> {
  return [20_000, 10_000, 5_000].flatMap(wholePass).concat(steady({ sited: true }), steady({ sited: false }));
}

/** Scoring is to know of each how it stands to what is near, and how much it matters; the rest is what is made of it. */
function wholePass(widthM: number): Row[] {
  const name = `${TRACKS} tracks, ${ZONES} zones, ${ASSETS} assets on ${widthM / 1_000} km`;
  const { spent, told } = seconds(new AssessWorld(widthM), { look: watchOf(Assessor.prototype, 'evaluate') });
  const parts = seconds(new AssessWorld(widthM), {
    measure: watchOf(Areas.prototype, 'measure'),
    score: watchOf(Scorer.prototype, 'score'),
    zones: watchOf(ZoneWatch.prototype, 'evaluate'),
    company: watchOf(Company.prototype, 'evaluate'),
    rules: watchOf(RuleEvaluation.prototype, 'ask'),
    words: watchOf(Scorer.prototype, 'explain'),
  }).spent;
  const part = (of: readonly number[] | undefined): number => quantile(of ?? [], 0.5);
  const { measure, score, zones, company, rules, words } = parts;
  const scored = measure?.map((ms, i) => ms + (score?.[i] ?? 0));
  const known = [measure, score, zones, company, rules, words].reduce((sum, one) => sum + part(one), 0);
  return [
    { name: `${name}: scored, median`, value: part(scored), unit: 'ms', target: { below: TARGET_MS } },
    { name: 'of it, how tracks stand to areas', value: part(measure), unit: 'ms' },
    { name: 'of it, situations, scores and levels', value: part(score), unit: 'ms' },
    { name: `${name}: all assessed, median`, value: part(spent.look), unit: 'ms' },
    { name: `${name}: all assessed, p99`, value: quantile(spent.look ?? [], 0.99), unit: 'ms' },
    { name: 'of it, zones followed', value: part(zones), unit: 'ms' },
    {
      name: 'of it, who flies with whom, where that is asked',
      value: part(company?.filter((ms) => ms > 0)),
      unit: 'ms',
    },
    { name: 'of it, rules', value: part(rules), unit: 'ms' },
    { name: 'of it, words of those told', value: part(words), unit: 'ms' },
    { name: 'of it, turns, facts and what is due', value: part(spent.look) - known, unit: 'ms' },
    { name: 'threats told', value: quantile(told, 0.5), unit: 'a second' },
  ];
}

/** Seconds of the world, all that moved at once each; what was spent in each of what is watched, step by step. */
function seconds<W extends string>(
  world: AssessWorld,
  watched: Record<W, CostWatch>,
): { spent: Partial<Record<string, number[]>>; told: number[] } {
  const spent: Partial<Record<string, number[]>> = {};
  const told: number[] = [];
  const watches: [string, CostWatch][] = Object.entries(watched);
  for (let s = 1; s <= WARM_S + RUN_S; s++) {
    const toldNow = world.stepAll(s);
    for (const [name, watch] of watches) {
      const ms = watch.take();
      if (s > WARM_S) spent[name] = [...(spent[name] ?? []), ms];
    }
    if (s > WARM_S) told.push(toldNow);
  }
  for (const [, watch] of watches) watch.end();
  return { spent, told };
}

/** Each aircraft once a second, in steps as the worker makes them. */
function steady({ sited }: { sited: boolean }): Row[] {
  const world = new AssessWorld(10_000, { sited });
  const look = watchOf(Assessor.prototype, 'evaluate');
  const each = TRACKS * STEP_S;
  const steps: number[] = [];
  let begun = cpuUsage();
  for (let i = 0; i < (WARM_S + STEADY_S) / STEP_S; i++) {
    if (i === WARM_S / STEP_S) begun = cpuUsage();
    const from = (i * each) % TRACKS;
    world.step(1 + i * STEP_S, from, from + each);
    const ms = look.take();
    if (i >= WARM_S / STEP_S) steps.push(ms);
  }
  const { user, system } = cpuUsage(begun);
  look.end();
  const name = `${TRACKS} tracks once a second on 10 km, ${sited ? `${ZONES} zones` : 'nothing to protect'}`;
  const share = steps.reduce((sum, ms) => sum + ms, 0) / 10 / STEADY_S;
  return [
    { name: `${name}: assessed, of a step, median`, value: quantile(steps, 0.5), unit: 'ms' },
    { name: `${name}: assessed, of a step, p99`, value: quantile(steps, 0.99), unit: 'ms' },
    { name: `${name}: assessed`, value: share, unit: '% of a core' },
    { name: `${name}: all of the core`, value: (user + system) / 10_000 / STEADY_S, unit: '% of a core' },
  ];
}

type CostWatch = { take(): number; end(): void };

/** What asking for the time takes: of what is done a thousand times a second, it would be a part of what is told. */
function clockMs(): number {
  const times = 10_000;
  const beganMs = performance.now();
  for (let i = 0; i < times; i++) performance.now();
  return (performance.now() - beganMs) / times;
}

/** Milliseconds that calls of a method took since they were last asked for, without what it took to time them. */
function watchOf<K extends string>(prototype: Record<K, (...args: never[]) => unknown>, method: K): CostWatch {
  const own = prototype[method];
  const clock = clockMs();
  let spentMs = 0;
  const timed = function (this: unknown, ...args: never[]): unknown {
    const beganMs = performance.now();
    try {
      return own.apply(this, args);
    } finally {
      spentMs += performance.now() - beganMs - clock;
    }
  };
  Object.assign(prototype, { [method]: timed });
  return {
    take: () => {
      const ms = spentMs;
      spentMs = 0;
      return ms;
    },
    end: () => Object.assign(prototype, { [method]: own }),
  };
}
