import { invalidInput } from '../../model/fault.ts';
import type { Identity } from '../../model/observation.ts';
import type { Dossier, ObservationBatch } from '../../model/observation_row.ts';
import { OBSERVED, OBSERVED_KIND } from '../../model/rows/layouts.ts';
import type { RowValues } from '../../model/rows/pack_row.ts';
import type { DetectionLine, LineOf } from './detection_line.ts';
import type { Site } from './site.ts';

const RADIANS = Math.PI / 180;
const NONE = -1;

type Columns = Partial<RowValues<typeof OBSERVED>>;

/**
 * Packs detections of a scenario into batches for the core. With the first report of an identity, also adds its dossier
 * (the claims of one transmitter).
 */
export class Packer {
  readonly #sensors: ReadonlyMap<string, { index: number; kind: string; type: string }>;
  readonly #emitters = new Numbering();
  readonly #speakers = new Numbering();
  #rows: number[] = [];
  #dossiers: Dossier[] = [];
  #counted = 0;

  constructor(site: Site) {
    const sensors = Object.entries(site.sensors);
    this.#sensors = new Map(sensors.map(([id, { kind, type }], index) => [id, { index, kind, type }]));
  }

  /** Throws a Fault if the sensor of a line is unknown or of another kind. Scan lines fit every kind except `pos`. */
  check(line: DetectionLine): void {
    const { kind } = this.#sensorOf(line);
    const fits = line.k === 'scan' ? kind !== 'pos' : line.k === kind;
    if (!fits)
      throw invalidInput(`the sensor '${line.s}' is of the kind ${kind}, but the line is of the kind ${line.k}`);
  }

  /** Adds a line to the batch. Call `check` before. */
  add(line: DetectionLine): void {
    const sensor = this.#sensorOf(line);
    const row = new Array<number>(OBSERVED.width).fill(Number.NaN);
    const columns: Columns = {
      ...this.#columnsOf(line, sensor.type),
      sensor: sensor.index,
      sequence: line.i ?? this.#counted,
    };
    for (const [name, value] of Object.entries(columns)) row[OBSERVED[name as keyof Columns]] = value;
    this.#rows.push(...row);
    this.#counted++;
  }

  /** Returns the batch, and begins a new one. */
  take(): ObservationBatch {
    const batch = { rows: Float64Array.from(this.#rows), dossiers: this.#dossiers };
    this.#rows = [];
    this.#dossiers = [];
    return batch;
  }

  #sensorOf(line: DetectionLine): { index: number; kind: string; type: string } {
    const sensor = this.#sensors.get(line.s);
    if (sensor === undefined) throw invalidInput(`the site has no sensor '${line.s}'`);
    return sensor;
  }

  #columnsOf(line: DetectionLine, sensorType: string): Columns {
    const common: Columns = { timeS: line.t, receivedS: line.tr, claim: NONE, scan: NONE, emitter: NONE, authentic: 0 };
    if (line.k === 'scan') return { ...common, kind: OBSERVED_KIND.scan, scan: line.sc, plots: line.n };
    if (line.k === 'pos') {
      const authentic = sensorType === 'mavlink' ? 1 : 0;
      const claim = this.#claimOf(line.id, sensorType);
      return { ...common, kind: OBSERVED_KIND.position, claim, authentic, ...positionOf(line) };
    }
    const emitter = line.k === 'bearing' && line.em != null ? this.#emitters.of(line.em).number : NONE;
    return { ...common, kind: OBSERVED_KIND.plot, scan: line.sc ?? NONE, emitter, ...plotOf(line) };
  }

  #claimOf(value: string, sensorType: string): number {
    const identity: Identity = { ...identityOf(sensorType), value };
    const { number: index, isNew } = this.#speakers.of(`${identity.type} ${value}`);
    if (isNew) {
      const nothing = { classification: [], operator: null, takeoff: null, status: null };
      this.#dossiers.push({ index, identities: [identity], ...nothing });
    }
    return index;
  }
}

/** Numbers names from 0 in the order of their first use. */
class Numbering {
  readonly #numbers = new Map<string, number>();

  of(name: string): { number: number; isNew: boolean } {
    const known = this.#numbers.get(name);
    if (known !== undefined) return { number: known, isNew: false };
    const number = this.#numbers.size;
    this.#numbers.set(name, number);
    return { number, isNew: true };
  }
}

function identityOf(sensorType: string): Omit<Identity, 'value'> {
  if (sensorType === 'mavlink') return { type: 'mavlink', transport: 'mavlink' };
  if (sensorType === 'adsb') return { type: 'icao24', transport: 'adsb' };
  return { type: 'serial', transport: 'other' };
}

function plotOf(line: LineOf<'polar3d' | 'polar2d' | 'azel' | 'bearing'>): Columns {
  const azimuth = { azimuthOrLatDeg: line.az, sdAzimuthDegOrHM: line.sd[0] };
  switch (line.k) {
    case 'polar3d':
      return {
        ...azimuth,
        elevationOrLonDeg: line.el,
        rangeOrAltHaeM: line.r,
        sdElevationDegOrVM: line.sd[1],
        sdRangeM: line.sd[2],
      };
    case 'polar2d':
      return { ...azimuth, rangeOrAltHaeM: line.r, sdRangeM: line.sd[1] };
    case 'azel':
      return { ...azimuth, elevationOrLonDeg: line.el, sdElevationDegOrVM: line.sd[1] };
    case 'bearing':
      return azimuth;
  }
}

function positionOf({ lat, lon, alt, sd, vsd, ...line }: LineOf<'pos'>): Columns {
  const place: Columns = {
    azimuthOrLatDeg: lat,
    elevationOrLonDeg: lon,
    rangeOrAltHaeM: alt,
    sdAzimuthDegOrHM: sd[0],
    sdElevationDegOrVM: sd[2],
  };
  const speedMps = line.vh ?? Number.NaN;
  const trackRad = (line.trk ?? Number.NaN) * RADIANS;
  return {
    ...place,
    eastMps: speedMps * Math.sin(trackRad),
    northMps: speedMps * Math.cos(trackRad),
    upMps: line.vv ?? Number.NaN,
    saidSpeedMps: speedMps,
    sdSpeedMps: vsd?.[0] ?? Number.NaN,
    sdClimbMps: vsd?.[2] ?? Number.NaN,
  };
}
