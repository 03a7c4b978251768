import type { Seeing, SensorValue } from '../core/settings.ts';
import type { SensorIdentity } from '../edge/feed/sensor_book.ts';
import { geoidHeightM } from '../geo/geoid.ts';
import type { Placement } from '../model/sensor.ts';

const MAX_SENSORS = 512;
/** What is taken of a sensor of which nobody declared it. */
const DETECTION = 0.9;
const CLUTTER_PER_LOOK = 5;
const RANGE_M = 10_000;
const ELEVATION_DEG = [-5, 90] as const;

/** Numbers for sensors, as packed observations name them: given once, the longest unused given again. */
export class SensorIndex {
  readonly #byId = new Map<string, number>();

  of(sensorId: string): number {
    const known = this.#byId.get(sensorId);
    if (known !== undefined) return known;
    const index = this.#byId.size < MAX_SENSORS ? this.#byId.size : this.#oldest();
    this.#byId.set(sensorId, index);
    return index;
  }

  #oldest(): number {
    const [first] = this.#byId;
    if (!first) return 0;
    this.#byId.delete(first[0]);
    return first[1];
  }
}

/** A sensor as the core needs to know it. */
export function sensorValue({ id, modality, placement }: SensorIdentity, index: number): SensorValue {
  return {
    index,
    id,
    cooperative: modality === 'remote_id' || modality === 'adsb' || modality === 'telemetry',
    placement: placement && {
      latDeg: placement.lat,
      lonDeg: placement.lon,
      // Above ground is all that is known of some: the ground is taken to be at mean sea level there.
      altHaeM: placement.alt_hae_m ?? (placement.alt_agl_m ?? 0) + geoidHeightM(placement.lat, placement.lon),
    },
    seeing: placement && seeingOf(modality, placement),
  };
}

function reachIsKnown(modality: SensorIdentity['modality'], placement: Placement): boolean {
  const ranges = modality === 'radar' || modality === 'lidar';
  return ranges && placement.max_range_m !== undefined && placement.alt_hae_m !== undefined;
}

/** Only a radar or camera whose reach is declared is held to see what it covers: else a clear sky would count as a lie. */
function seeingOf(modality: SensorIdentity['modality'], placement: Placement): Seeing {
  const { elevation_deg: tilt, vfov_deg: height } = placement;
  return {
    heightKnown: placement.alt_hae_m !== undefined,
    ranges: modality === 'radar' || modality === 'lidar',
    covers: reachIsKnown(modality, placement),
    detection: DETECTION,
    clutterPerLook: CLUTTER_PER_LOOK,
    rangeM: [placement.min_range_m ?? 0, placement.max_range_m ?? RANGE_M],
    azimuthDeg: placement.azimuth_deg ?? 0,
    azimuthWidthDeg: placement.hfov_deg ?? 360,
    elevationDeg: height === undefined ? ELEVATION_DEG : [(tilt ?? 0) - height / 2, (tilt ?? 0) + height / 2],
    clutterRangeM: null,
    clutterElevationDeg: null,
    periodS: 1,
    rotating: false,
  };
}
