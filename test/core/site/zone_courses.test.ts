import fc from 'fast-check';
import t from 'tap';
import type { Flyer } from '../../../src/core/site/flyer.ts';
import type { ZoneValue } from '../../../src/core/site/site_plan.ts';
import type { ZoneEvent } from '../../../src/model/firing.ts';
import { affiliations, cooperatives } from '../../../src/model/track.ts';
import { zoneKinds } from '../../../src/model/zone.ts';
import { metresBetween, type Place, placeAt } from '../../support/basics/place.ts';
import { randomFrom } from '../../support/basics/random.ts';
import { seedOf } from '../../support/basics/seed.ts';
import { sized } from '../../support/basics/size.ts';
import { flyerOf, type Motion, ZoneSky, zoneOf } from '../../support/core/zone_site.ts';
import { anywhere, drawn } from '../../support/references/areas/inputs.ts';
import { Inputs } from '../../support/references/inputs.ts';

const STATES = ['tentative', 'confirmed', 'confirmed', 'confirmed', 'coasting', 'lost'] as const;

/** Zones that lie over each other about one place, of any kind and shape. */
function zonesAbout(make: Inputs): { zones: ZoneValue[]; middle: Place; radiusM: number } {
  const { shape, middle, radiusM } = drawn(make, 3_000);
  const others = make.list(make.whole(0, 12), () =>
    circleOf(placeAt(middle, make.between(0, 360), make.between(0, radiusM)), radiusM * make.between(0.1, 1)),
  );
  const zones = [shape, ...others].map((geometry, i) => zoneOf({ geometry, ...aboutWhom(make), id: `zone ${i}` }));
  return { zones, middle, radiusM };
}

const circleOf = ({ lat, lon }: Place, radius_m: number) => ({ type: 'Point', coordinates: [lon, lat], radius_m });
const one = <T>(make: Inputs, of: readonly T[]): T | undefined => of[make.whole(0, of.length - 1)];

function aboutWhom(make: Inputs): object {
  const [floor, rare] = [make.between(0, 100), make.between(0, 1) < 0.3];
  return {
    kind: one(make, zoneKinds),
    datum: one(make, ['agl', 'msl', 'hae']),
    floor_m: rare ? floor : null,
    ceiling_m: rare ? floor + make.between(1, 200) : null,
    applies_to: { affiliations: rare ? affiliations.slice(make.whole(0, 3)) : [] },
    alarm: { dwell_s: make.between(1, 40), eta_s: make.between(1, 200), hysteresis_m: make.between(0, 60) },
    enabled: make.between(0, 1) < 0.95,
  };
}

function flyerLike(make: Inputs, number: number): Flyer {
  return flyerOf({
    number,
    state: one(make, STATES) ?? 'lost',
    affiliation: make.between(0, 1) < 0.9 ? 'unknown' : (one(make, affiliations) ?? 'unknown'),
    cooperative: one(make, cooperatives) ?? 'both',
    heightTakeoffM: make.between(0, 1) < 0.5 ? Number.NaN : make.between(0, 200),
  });
}

/** What was told of each track and zone, held against what may follow what. */
class Grammar {
  readonly #inside = new Map<string, { dwelled: boolean }>();
  #lastMs = 0;

  take(events: readonly ZoneEvent[], nowMs: number): void {
    for (const { trackId, zoneId, transition, atMs, etaS } of events) {
      const key = `${trackId} ${zoneId}`;
      const stay = this.#inside.get(key);
      const wrong = (why: string): Error => new Error(`${transition} of ${key}: ${why}`);
      if (atMs !== nowMs || atMs < this.#lastMs) throw wrong('at another time');
      if ((transition === 'approach') !== (etaS !== null)) throw wrong('seconds until it is in');
      if (transition === 'approach' || transition === 'enter') {
        if (stay) throw wrong('it is inside');
      } else if (!stay) throw wrong('it is outside');
      if (transition === 'enter') this.#inside.set(key, { dwelled: false });
      if (transition === 'exit') this.#inside.delete(key);
      if (transition === 'dwell') {
        if (stay?.dwelled) throw wrong('twice a visit');
        this.#inside.set(key, { dwelled: true });
      }
      this.#lastMs = atMs;
    }
  }

  isIn(trackId: string, zoneId?: string): boolean {
    if (zoneId !== undefined) return this.#inside.has(`${trackId} ${zoneId}`);
    return [...this.#inside.keys()].some((key) => key.startsWith(`${trackId} `));
  }
}

t.test(
  'whatever flies and whatever is changed, an exit stands between two entries, and a dwell in between once',
  async (t) => {
    let told = 0;
    const property = fc.property(fc.nat(), (seed) => {
      const make = new Inputs(randomFrom(seed));
      const { zones, middle, radiusM } = zonesAbout(make);
      const sky = new ZoneSky(zones);
      const grammar = new Grammar();
      const alive = new Set([1, 2, 3]);
      for (let step = 0, nowMs = 0; step < 60; step++, nowMs += make.whole(1, 9_000)) {
        const number = make.whole(1, 3);
        const flyer = flyerLike(make, number);
        if (make.between(0, 1) < 0.1)
          sky.set(zones.filter(() => make.between(0, 1) < 0.7).map((zone) => ({ ...zone, ...changed(make, zone) })));
        if (make.between(0, 1) < 0.05) {
          const [reason, into] =
            make.between(0, 1) < 0.5 ? (['merged', `track ${(number % 3) + 1}`] as const) : (['closed'] as const);
          sky.watch.remove({ number, reason, ...(into === undefined ? {} : { into }) }, nowMs);
          grammar.take(sky.watch.takeEvents(), nowMs);
          if (grammar.isIn(flyer.id)) throw new Error('a track that is no more is in a zone');
          alive.delete(number);
        } else {
          const place = placeAt(middle, make.between(0, 360), 1.3 * radiusM * make.between(0, 1));
          const velocity = [make.between(-30, 30), make.between(-30, 30), make.between(-5, 5)] as const;
          const altHaeM = make.between(0, 1) < 0.2 ? Number.NaN : make.between(0, 250);
          const events = sky.look(flyer, { place, altHaeM, velocity }, nowMs);
          grammar.take(events, nowMs);
          told += events.length;
          for (const { id, kind, inside, dwelling } of sky.of(number).facts) {
            if (kind === 'ignore' || flyer.state === 'tentative') continue;
            if (inside !== grammar.isIn(flyer.id, id)) throw new Error('a fact is none that was told');
            if (dwelling && !inside) throw new Error('it stays where it is not');
          }
        }
      }
      return true;
    });
    fc.assert(property, { seed: seedOf(t), numRuns: sized(300) });
    t.ok(told > 3_000, `${told} events`);
  },
);

function changed(make: Inputs, zone: ZoneValue): Partial<ZoneValue> {
  const version = zone.version + make.whole(0, 1);
  return make.between(0, 1) < 0.8 ? { version } : { version, kind: one(make, zoneKinds) ?? 'alert' };
}

t.test('noise that is smaller than the hysteresis makes nothing happen twice, anywhere', async (t) => {
  const property = fc.property(fc.nat(), (seed) => {
    const make = new Inputs(randomFrom(seed));
    const middle = anywhere(make);
    const [radiusM, hysteresis] = [make.between(100, 2_000), make.between(5, 60)];
    const alarm = { hysteresis_m: hysteresis };
    const heights = { datum: 'hae', floor_m: 100, ceiling_m: 200 };
    const sky = new ZoneSky([zoneOf({ geometry: circleOf(middle, radiusM), alarm, ...heights })]);
    let entries = 0;
    for (let i = 0; i < 120; i++) {
      const noise = (): number => 0.98 * make.between(-hysteresis / 2, hysteresis / 2);
      // At the edge, and at the floor.
      const place = placeAt(middle, i, radiusM + hysteresis / 2.1 + noise());
      const events = sky.look(flyerOf(), { place, altHaeM: 100 + noise() }, i * 500);
      if (events.some(({ transition }) => transition === 'exit')) return false;
      entries += events.filter(({ transition }) => transition === 'enter').length;
    }
    return entries <= 1;
  });
  t.doesNotThrow(() => fc.assert(property, { seed: seedOf(t), numRuns: sized(100) }));
});

t.test('of a circle, who is in and who has left is what geodesics say', async (t) => {
  const property = fc.property(fc.nat(), (seed) => {
    const make = new Inputs(randomFrom(seed));
    const middle = anywhere(make);
    const [radiusM, leaveM] = [make.between(50, 3_000), make.between(0, 100)];
    const sky = new ZoneSky([zoneOf({ geometry: circleOf(middle, radiusM), alarm: { hysteresis_m: leaveM } })]);
    let inside = false;
    for (let i = 0; i < 40; i++) {
      const place = placeAt(middle, make.between(0, 360), radiusM + make.between(-1, 1) * 200);
      const awayM = metresBetween(middle, place) - radiusM;
      if (Math.abs(awayM) < 0.5 || Math.abs(awayM - leaveM) < 0.5) continue;
      inside = awayM < 0 || (inside && awayM < leaveM);
      sky.look(flyerOf(), { place }, i * 1_000);
      const fact = sky.of().facts[0];
      if ((fact?.inside ?? false) !== inside) return false;
    }
    return true;
  });
  t.doesNotThrow(() => fc.assert(property, { seed: seedOf(t), numRuns: sized(200) }));
});

/** Straight legs between places, each at its own speed. */
type Course = { legs: { from: Place; azimuthDeg: number; speedMps: number; startS: number; endS: number }[] };

function courseAbout(make: Inputs, middle: Place, radiusM: number): Course {
  const legs: Course['legs'] = [];
  const comesFrom = make.between(0, 360);
  let from = placeAt(middle, comesFrom, radiusM * 1.2);
  for (let i = 0, startS = 0; i < 5; i++) {
    const speedMps = make.between(5, 25);
    const endS = startS + make.between(20, 80);
    const azimuthDeg = i === 0 ? comesFrom + 180 + make.between(-20, 20) : make.between(0, 360);
    legs.push({ from, azimuthDeg, speedMps, startS, endS });
    from = placeAt(from, azimuthDeg, speedMps * (endS - startS));
    startS = endS;
  }
  return { legs };
}

function motionAt({ legs }: Course, atS: number): Motion {
  const leg = legs.find(({ endS }) => atS < endS) ?? legs[legs.length - 1];
  if (!leg) throw new Error('a course without legs');
  const { from, azimuthDeg, speedMps, startS } = leg;
  const way = (azimuthDeg * Math.PI) / 180;
  const velocity = [speedMps * Math.sin(way), speedMps * Math.cos(way), 0] as const;
  return { place: placeAt(from, azimuthDeg, speedMps * (atS - startS)), velocity };
}

/** What is told, when; and how long it was over the edge, or beyond it by the hysteresis, at the least. */
function flown(zone: ZoneValue, course: Course, stepS: number): { told: [string, number][]; leastS: number } {
  const sky = new ZoneSky([zone]);
  const told: [string, number][] = [];
  const lasts = course.legs.at(-1)?.endS ?? 0;
  let [leastS, sinceS, was] = [Number.POSITIVE_INFINITY, 0, ''];
  for (let atS = 0; atS <= lasts; atS += stepS) {
    for (const { transition } of sky.look(flyerOf(), motionAt(course, atS), atS * 1_000))
      if (transition !== 'approach') told.push([transition, atS]);
    const fact = sky.of().facts[0];
    const distanceM = fact?.distanceM ?? Number.POSITIVE_INFINITY;
    const is = distanceM <= 0 ? 'in' : distanceM > zone.alarm.hysteresis_m ? 'out' : 'edge';
    if (is === was) continue;
    if (was !== 'edge' && was !== '') leastS = Math.min(leastS, atS - sinceS);
    [was, sinceS] = [is, atS];
  }
  return { told, leastS };
}

t.test('how often it is looked changes when something is told by less than a look, and nothing else', async (t) => {
  let compared = 0;
  const property = fc.property(fc.nat(), fc.double({ min: 0.2, max: 1, noNaN: true }), (seed, stepS) => {
    const make = new Inputs(randomFrom(seed));
    const { shape, middle, radiusM } = drawn(make, 800);
    const zone = zoneOf({
      geometry: shape,
      alarm: { dwell_s: make.between(5, 30), hysteresis_m: make.between(5, 40) },
    });
    const course = courseAbout(make, middle, radiusM);
    const [fine, coarse] = [flown(zone, course, 0.1), flown(zone, course, stepS)];
    // What lasts no longer than a look may be missed, and a stay that ends as it becomes a dwell: with the course, too.
    fc.pre(fine.leastS > stepS + 0.2);
    const overS = course.legs.at(-1)?.endS ?? 0;
    const stays = fine.told.flatMap(([what, atS], i) =>
      what === 'enter' ? [(fine.told.slice(i).find(([to]) => to === 'exit')?.[1] ?? overS) - atS] : [],
    );
    fc.pre(stays.every((s) => Math.abs(s - zone.alarm.dwell_s) > 2 * stepS + 0.2));
    // What is told as the course ends may come after the last look.
    fc.pre(fine.told.every(([, atS]) => overS - atS > 2 * stepS + 0.2));
    compared += fine.told.length;
    const late = coarse.told.map(([, atS], i) => atS - (fine.told[i]?.[1] ?? Number.NaN));
    const most = coarse.told.map(([what]) => (what === 'dwell' ? 2 * stepS : stepS) + 0.11);
    return (
      coarse.told.map(([what]) => what).join() === fine.told.map(([what]) => what).join() &&
      late.every((s, i) => s > -0.11 - (coarse.told[i]?.[0] === 'dwell' ? 0.11 : 0) && s < (most[i] ?? 0))
    );
  });
  fc.assert(property, { seed: seedOf(t), numRuns: sized(120) });
  t.ok(compared > 60, `${compared} events`);
});

t.test('a track is followed in so many zones at most, and none of them is left untold', async (t) => {
  const zones = Array.from({ length: 60 }, (_, i) =>
    zoneOf({ id: `zone ${i}`, geometry: circleOf({ lat: 1, lon: 1 }, 100 + i) }),
  );
  const sky = new ZoneSky(zones);
  const grammar = new Grammar();
  for (let i = 0; i < 200; i++) {
    const place = placeAt({ lat: 1, lon: 1 }, i * 37, (i * 53) % 190);
    grammar.take(sky.look(flyerOf(), { place }, i * 1_000), i * 1_000);
    t.ok(sky.of().facts.length <= 32);
  }
  grammar.take(sky.look(flyerOf(), { place: placeAt({ lat: 1, lon: 1 }, 0, 9_000) }, 300_000), 300_000);
  t.notOk(grammar.isIn('track 1'));
});

t.test('among more zones than are told of, none is held that was left', async (t) => {
  const property = fc.property(fc.nat(), (seed) => {
    const make = new Inputs(randomFrom(seed));
    const middle = anywhere(make);
    const circles = make.list(40, () => {
      const place = placeAt(middle, make.between(0, 360), make.between(0, 3_000));
      return { place, radiusM: make.spread(50, 2_000), leaveM: make.between(0, 60) };
    });
    const kind = make.between(0, 1) < 0.5 ? 'alert' : 'ignore';
    const zones = circles.map(({ place, radiusM, leaveM }, i) =>
      zoneOf({ id: `zone ${i}`, kind, geometry: circleOf(place, radiusM), alarm: { hysteresis_m: leaveM } }),
    );
    const sky = new ZoneSky(zones);
    const inside = circles.map(() => false);
    for (let i = 0; i < 30; i++) {
      const place = placeAt(middle, make.between(0, 360), make.between(0, 4_000));
      sky.look(flyerOf(), { place }, i * 1_000);
      const away = circles.map((circle) => metresBetween(circle.place, place) - circle.radiusM);
      const deepest = [...away].sort((a, b) => a - b)[7] ?? 0;
      const isFull = sky.of().facts.filter(({ inside }) => inside).length >= 8;
      for (const [c, awayM] of away.entries()) {
        const leaveM = circles[c]?.leaveM ?? 0;
        const is = sky.of().facts.some(({ id, inside }) => inside && id === `zone ${c}`);
        if (is && Math.min(awayM, deepest) > leaveM + 1) return false;
        if (!is && awayM < -1 && !isFull) return false;
        if (!is && inside[c] && awayM < Math.min(leaveM, deepest) - 1) return false;
        inside[c] = is;
      }
    }
    return true;
  });
  t.doesNotThrow(() => fc.assert(property, { seed: seedOf(t), numRuns: sized(100) }));
});
