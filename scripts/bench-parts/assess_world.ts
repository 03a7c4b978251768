import { Core } from '../../src/core/core.ts';
import type { AssetValue, SitePlan, ZoneValue } from '../../src/core/site/site_plan.ts';
import { Packer } from '../../src/core/thread/pack.ts';
import { blankObservation } from '../../src/edge/feed/blank.ts';
import { defaultPolicy } from '../../src/model/decision_defaults.ts';
import type { Observation } from '../../src/model/observation.ts';
import { OBSERVED } from '../../src/model/rows/layouts.ts';
import type { CoreOutput } from '../../src/model/track_row.ts';
import { type Place, placeAt } from '../../test/support/basics/place.ts';
import { randomFrom } from '../../test/support/basics/random.ts';
import { starRing } from '../../test/support/basics/shapes.ts';
import { zoneOf } from '../../test/support/core/zone_site.ts';
import { builtinValues } from './rules.ts';
import { macOf } from './senders.ts';
import { trackingSettings } from './tracker_setup.ts';

export const TRACKS = 1_000;
export const ZONES = 200;
export const ASSETS = 50;
const CORNERS = 50;
const MIDDLE = { lat: 60.17, lon: 24.94 };
const SENSOR = '00000000-0000-8000-8000-00000000aaaa';
/** Those that count are the costly ones: no track is measured against the others unless it is in or at one. */
const kinds = ['protected', 'alert', 'warning', 'protected', 'protected', 'keep_out', 'ignore'] as const;

type Flight = { begin: Place; eastMps: number; northMps: number; climbMps: number; heightM: number };

/** A core in this thread, a country so wide with `TRACKS` aircraft in it, and what they say: each once a second. */
export class AssessWorld {
  readonly core: Core;
  readonly #packer = new Packer(() => 0);
  readonly #flights: readonly Flight[];
  #sequence = 0;

  constructor(widthM: number, { sited = true } = {}) {
    const random = randomFrom(widthM);
    this.core = new Core(
      { ...trackingSettings(2 * TRACKS), origin: { latDeg: 60.17, lonDeg: 24.94, altHaeM: 0 } },
      new Uint8Array(8),
      0,
    );
    this.core.setSensors([{ index: 0, id: SENSOR, cooperative: true, placement: null, seeing: null }]);
    const plan = planOver(widthM, random);
    this.core.assessor.setPolicy({ policy: defaultPolicy, version: 1 });
    this.core.assessor.setSite({ plan: sited ? plan : { zones: [], assets: [] }, listens: true, utcOffsetMs: 0 });
    this.core.assessor.rules.setRules(builtinValues());
    this.#flights = list(TRACKS, () => flightOver(widthM, random));
  }

  /** Steps with what the aircraft from `from` to before `to` say at a time. */
  step(nowS: number, from = 0, to = TRACKS): CoreOutput {
    const rows = new Float64Array((to - from) * OBSERVED.width);
    for (let i = from; i < to; i++)
      this.#packer.pack(this.#said(i, nowS), ++this.#sequence, rows, (i - from) * OBSERVED.width);
    return this.core.step({ rows, dossiers: this.#packer.takeDossiers() }, nowS * 1_000);
  }

  /** The same, and the steps after it until all that moved has been assessed; answers how many threats were told. */
  stepAll(nowS: number): number {
    let told = this.step(nowS).assessment.threats.length;
    const nothing = { rows: new Float64Array(0), dossiers: [] };
    while (this.core.isBehind) told += this.core.step(nothing, nowS * 1_000).assessment.threats.length;
    return told;
  }

  #said(i: number, nowS: number): Observation {
    const observation = blankObservation(SENSOR, null, nowS * 1_000);
    const flight = this.#flights[i];
    if (!flight) return observation;
    const { begin, eastMps, northMps, climbMps, heightM } = flight;
    const { lat, lon } = placeAt(placeAt(begin, 90, eastMps * nowS), 0, northMps * nowS);
    observation.report = 'position';
    observation.latDeg = lat;
    observation.lonDeg = lon;
    // Up and down by turns of a minute.
    const turnS = nowS % 120;
    observation.altHaeM = heightM + climbMps * (turnS < 60 ? turnS : 120 - turnS);
    observation.climbMps = turnS < 60 ? climbMps : -climbMps;
    observation.sourceMs = nowS * 1_000;
    observation.sigmaHM = 5;
    observation.speedMps = Math.hypot(eastMps, northMps);
    observation.courseDeg = ((Math.atan2(eastMps, northMps) * 180) / Math.PI + 360) % 360;
    observation.identities = [{ type: 'mac', value: macOf(i), transport: 'mavlink' }];
    // Every other one tells a name.
    if (i % 2 === 0)
      observation.identities.push({ type: 'serial', value: `1581F5FKD2294${1_000_000 + i}`, transport: 'mavlink' });
    return observation;
  }
}

function planOver(widthM: number, random: () => number): SitePlan {
  return { zones: list(ZONES, (i) => zone(i, widthM, random)), assets: list(ASSETS, (i) => asset(i, widthM, random)) };
}

/** Round or not, of some hundred metres to more than a kilometre. */
function zone(i: number, widthM: number, random: () => number): ZoneValue {
  const { lat, lon } = somewhere(widthM, random);
  const radiusM = 200 + 1_300 * random() ** 2;
  const distances = list(CORNERS, () => radiusM * (0.7 + 0.3 * random()));
  const geometry = { type: 'Polygon', coordinates: [starRing([lon, lat], distances)] };
  const alarm = { on: ['approach', 'enter', 'exit', 'dwell'] };
  return zoneOf({ id: `zone-${i}`, kind: kinds[i % kinds.length] ?? 'protected', geometry, ceiling_m: 150, alarm });
}

function asset(i: number, widthM: number, random: () => number): AssetValue {
  const { lat, lon } = somewhere(widthM, random);
  return { id: `asset-${i}`, name: `asset ${i}`, latDeg: lat, lonDeg: lon, priority: 5, groundAltHaeM: 0 };
}

/** Aircraft at 5 to 30 m/s any way. */
function flightOver(widthM: number, random: () => number): Flight {
  const [speed, way] = [5 + 25 * random(), 2 * Math.PI * random()];
  return {
    begin: somewhere(widthM, random),
    eastMps: speed * Math.sin(way),
    northMps: speed * Math.cos(way),
    climbMps: 4 * random() - 2,
    heightM: 130 + 100 * random(),
  };
}

function somewhere(widthM: number, random: () => number): Place {
  return placeAt(placeAt(MIDDLE, 90, (random() - 0.5) * widthM), 0, (random() - 0.5) * widthM);
}

function list<T>(count: number, one: (i: number) => T): T[] {
  return Array.from({ length: count }, (_, i) => one(i));
}
