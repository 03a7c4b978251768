import { MAX_SENSORS } from '../core/tracking/sensor_columns.ts';
import type { Seeing, SensorValue } from '../core/tracking/settings.ts';
import type { SensorIdentity } from '../edge/feed/sensor_statuses.ts';
import { geoidHeightM } from '../geo/geoid.ts';
import { type DetectionModel, modalityTraits, type Placement } from '../model/sensor.ts';

/** Defaults for sensors that declare no detection model. */
const DETECTION = 0.9;
const CLUTTER_PER_SCAN = 5;
const PERIOD_S = 1;
const RANGE_M = 10_000;
const ELEVATION_DEG = [-5, 90] as const;

/**
 * Assigns each sensor a number, which packed observations contain in place of the sensor's id. A freed number is reused
 * as late as possible, since observations with that number may still be queued.
 */
export class SensorIndex {
  readonly #byId = new Map<string, number>();
  readonly #free: number[] = [];
  #next = 0;

  of(sensorId: string): number {
    const known = this.#byId.get(sensorId);
    if (known !== undefined) return known;
    const index = this.#next < MAX_SENSORS ? this.#next++ : (this.#free.shift() ?? MAX_SENSORS - 1);
    this.#byId.set(sensorId, index);
    return index;
  }

  /** Converts the sensors to the form that the core uses. Frees the numbers of all other sensors. */
  valuesOf(sensors: readonly SensorIdentity[]): SensorValue[] {
    this.keep(new Set(sensors.map(({ id }) => id)));
    return sensors.map((sensor) => sensorValue(sensor, this.of(sensor.id)));
  }

  /** Keeps the numbers of these sensors and frees all others. */
  keep(sensorIds: ReadonlySet<string>): void {
    for (const [id, index] of this.#byId) {
      if (sensorIds.has(id)) continue;
      this.#byId.delete(id);
      this.#free.push(index);
    }
  }
}

/** Converts a sensor to the form that the core uses. `index` is its number in packed observations. */
export function sensorValue({ id, modality, placement, detection }: SensorIdentity, index: number): SensorValue {
  return {
    index,
    id,
    cooperative: modalityTraits[modality].cooperative,
    fused: modalityTraits[modality].fused,
    placement: placement && {
      latDeg: placement.lat,
      lonDeg: placement.lon,
      // Some sensors declare only a height above ground. The ground is then assumed at mean sea level.
      altHaeM: placement.alt_hae_m ?? (placement.alt_agl_m ?? 0) + geoidHeightM(placement.lat, placement.lon),
    },
    seeing: placement && seeingOf(modality, placement, detection ?? {}),
  };
}

function reachIsKnown(modality: SensorIdentity['modality'], placement: Placement): boolean {
  return modalityTraits[modality].ranges && placement.max_range_m !== undefined && placement.alt_hae_m !== undefined;
}

/**
 * Returns the detection model and field of view of a sensor. `covers` is true only for a sensor that measures range and
 * declares its maximum range and altitude. With assumed values, an empty scan would wrongly contradict a claim.
 */
function seeingOf(modality: SensorIdentity['modality'], placement: Placement, detection: DetectionModel): Seeing {
  const { pd, false_per_scan, period_s, rotating } = detection;
  return {
    heightKnown: placement.alt_hae_m !== undefined,
    ranges: modalityTraits[modality].ranges,
    covers: reachIsKnown(modality, placement),
    detection: pd ?? DETECTION,
    clutterPerScan: false_per_scan ?? CLUTTER_PER_SCAN,
    rangeM: [placement.min_range_m ?? 0, placement.max_range_m ?? RANGE_M],
    azimuthDeg: placement.azimuth_deg ?? 0,
    azimuthWidthDeg: placement.hfov_deg ?? 360,
    elevationDeg: elevationsOf(placement, detection),
    clutterRangeM: null,
    clutterElevationDeg: null,
    periodS: period_s ?? PERIOD_S,
    rotating: rotating ?? false,
  };
}

/**
 * Returns the lowest and highest elevation of a sensor, degrees. Limits of the detection model have precedence over
 * limits that follow from tilt and vertical field of view.
 */
function elevationsOf(
  { elevation_deg: tilt = 0, vfov_deg: height }: Placement,
  detection: DetectionModel,
): Seeing['elevationDeg'] {
  const [least, most] = height === undefined ? ELEVATION_DEG : [tilt - height / 2, tilt + height / 2];
  return [detection.min_elevation_deg ?? least, detection.max_elevation_deg ?? most];
}
