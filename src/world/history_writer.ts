import { flatUuid } from '../host/flat_uuid.ts';
import type { Rejection } from '../model/detection.ts';
import type { Observation } from '../model/observation.ts';
import { TRACK } from '../model/rows/layouts.ts';
import { formatTime } from '../model/time.ts';
import type { Track } from '../model/track.ts';
import { type CoreOutput, ROW_WIDTH, stateCodes } from '../model/track_row.ts';
import type { PictureState } from '../picture/picture.ts';
import type { HistoryLog } from '../store/log/history.ts';
import type { DetectionRow, PointRow } from '../store/log/rows.ts';
import type { Sightings } from './sightings.ts';

/**
 * Average interval between two history points of a track, ms (see `nextDueMs`). Each change of state also adds a point.
 */
const POINT_EVERY_MS = 1_000;
/**
 * Average interval at which a track's document is stored, ms. A restart restores each track from its last stored
 * document.
 */
const DOCUMENT_EVERY_MS = 2_000;

type Moved = NonNullable<ReturnType<PictureState['kinematicsOf']>>;

/** State of a track when it was last written, and world times at which its next point and document are due, ms. */
type Written = { state: number; pointDueMs: number; documentDueMs: number };

/**
 * Returns the due time that follows a write at `nowMs`. A write may come up to half a period early. Input that arrives
 * once a second is sometimes slightly early and must not be skipped. The average interval is still `everyMs`.
 */
function nextDueMs(dueMs: number, nowMs: number, everyMs: number): number {
  return Math.max(dueMs, nowMs - everyMs / 2) + everyMs;
}

/** Writes the core's output into the history, thinned so that years fit on the disk. */
export class HistoryWriter {
  readonly #log: HistoryLog;
  readonly #picture: PictureState;
  readonly #sightings: Sightings;
  readonly #utcMs: (worldMs: number) => number;
  readonly #written = new Map<number, Written>();

  constructor(log: HistoryLog, picture: PictureState, sightings: Sightings, utcMs: (worldMs: number) => number) {
    this.#log = log;
    this.#sightings = sightings;
    this.#picture = picture;
    this.#utcMs = utcMs;
  }

  /** Stores an observation with its track, or with the reason why it has none. */
  detection(observation: Observation, trackId: string | null, rejectedBy: Rejection | null): void {
    if (this.#log.forgets) return;
    this.#log.append('detection', detectionRow(observation, trackId, rejectedBy, this.#utcMs));
  }

  /**
   * Stores an observation with the core's assignment. `number`: the track, or 0 for no track. A negative track number
   * means that the position was withheld as implausible.
   */
  assigned(observation: Observation, number: number): void {
    const trackId = this.#picture.idOf(Math.abs(number));
    this.detection(observation, trackId, number < 0 ? 'implausible' : trackId === null ? 'no_track' : null);
  }

  /**
   * Writes the points and documents that are due. Call this once the picture has processed `output`. `ended`: last
   * documents of the tracks that ended in `output`.
   */
  write(output: CoreOutput, ended: readonly Track[]): void {
    if (this.#log.forgets) return;
    for (let at = 0; at < output.rows.length; at += ROW_WIDTH) {
      this.#writeRow(output.rows.subarray(at, at + ROW_WIDTH), output.nowMs);
    }
    for (const track of ended) this.#append({ ...track, state: 'closed' });
    for (const removal of output.removed) {
      this.#written.delete(removal.number);
      this.#sightings.forget(removal);
    }
  }

  /** Writes the documents of all tracks in the picture. Called at an orderly stop. */
  writeAll(): void {
    for (const track of this.#picture.tracks()) this.#append(track);
  }

  #append(document: Track): void {
    this.#log.append('track', { document, sighting: this.#sightings.of(document.id) });
  }

  #writeRow(row: Float64Array, nowMs: number): void {
    const number = row[TRACK.number] ?? 0;
    const state = row[TRACK.state] ?? 0;
    const last = this.#written.get(number) ?? { state: -1, pointDueMs: -Infinity, documentDueMs: -Infinity };
    const turned = last.state !== state;
    const pointDue = turned || nowMs >= last.pointDueMs;
    const documentDue = turned || nowMs >= last.documentDueMs;
    const moved = pointDue || documentDue ? this.#picture.kinematicsOf(number) : undefined;
    if (!moved) return;
    if (pointDue) this.#log.append('point', this.#pointOf(moved, nowMs));
    if (stateCodes[state] === 'confirmed') this.#sightings.confirmed(moved.id);
    const document = documentDue ? this.#picture.documentOf(number) : undefined;
    if (document) this.#append(document);
    last.state = state;
    if (pointDue) last.pointDueMs = nextDueMs(last.pointDueMs, nowMs, POINT_EVERY_MS);
    if (documentDue) last.documentDueMs = nextDueMs(last.documentDueMs, nowMs, DOCUMENT_EVERY_MS);
    this.#written.set(number, last);
  }

  #pointOf({ id, state, position, velocity, uncertainty }: Moved, nowMs: number): PointRow {
    return {
      trackId: id,
      atMs: this.#utcMs(nowMs),
      state,
      latDeg: position?.lat ?? null,
      lonDeg: position?.lon ?? null,
      altHaeM: position?.alt_hae_m ?? null,
      altMslM: position?.alt_msl_m ?? null,
      altAglM: position?.alt_agl_m ?? null,
      heightTakeoffM: position?.height_takeoff_m ?? null,
      speedMps: velocity?.speed_mps ?? null,
      courseDeg: velocity?.course_deg ?? null,
      climbMps: velocity?.climb_mps ?? null,
      hM: uncertainty?.h_m ?? null,
    };
  }
}

/**
 * Converts an observation and its outcome to the row that is stored. All documents have the same fields in the same
 * order, which is faster: thousands are built per second.
 */
function detectionRow(
  o: Observation,
  trackId: string | null,
  rejectedBy: Rejection | null,
  utcMs: (worldMs: number) => number,
): DetectionRow {
  const document = {
    obs_id: o.obsId ?? undefined,
    source_at: o.sourceMs === null ? undefined : formatTime(o.sourceMs),
    report: o.report,
    position: positionOf(o),
    range_m: o.rangeM ?? undefined,
    azimuth_deg: o.azimuthDeg ?? undefined,
    elevation_deg: o.elevationDeg ?? undefined,
    sigma: sigmaOf(o),
    velocity: velocityOf(o),
    identity: o.identities,
    classification: o.classification,
    operator: o.operator ?? undefined,
    takeoff: o.takeoff ?? undefined,
    signal: signalOf(o),
    status: o.status ?? undefined,
    confidence: o.confidence ?? undefined,
  };
  const { sensorId, linkId, receivedMs } = o;
  return { id: flatUuid(), receivedMs: Math.trunc(utcMs(receivedMs)), sensorId, linkId, trackId, rejectedBy, document };
}

type Document = DetectionRow['document'];

function positionOf(o: Observation): Document['position'] {
  if (o.latDeg === null || o.lonDeg === null) return undefined;
  return {
    lat: o.latDeg,
    lon: o.lonDeg,
    alt_hae_m: o.altHaeM ?? undefined,
    alt_msl_m: o.altMslM ?? undefined,
    alt_agl_m: o.altAglM ?? undefined,
    height_takeoff_m: o.heightTakeoffM ?? undefined,
  };
}

function velocityOf(o: Observation): Document['velocity'] {
  if (o.speedMps === null && o.courseDeg === null && o.climbMps === null) return undefined;
  return {
    speed_mps: o.speedMps ?? undefined,
    course_deg: o.courseDeg ?? undefined,
    climb_mps: o.climbMps ?? undefined,
  };
}

function signalOf(o: Observation): Document['signal'] {
  if (o.rssiDbm === null && o.centerHz === null) return undefined;
  return {
    rssi_dbm: o.rssiDbm ?? undefined,
    center_hz: o.centerHz ?? undefined,
    bandwidth_hz: o.bandwidthHz ?? undefined,
  };
}

function sigmaOf(o: Observation): Document['sigma'] {
  const isKnown =
    o.sigmaHM !== null ||
    o.sigmaVM !== null ||
    o.sigmaRangeM !== null ||
    o.sigmaAzimuthDeg !== null ||
    o.sigmaElevationDeg !== null ||
    o.sigmaSpeedMps !== null;
  if (!isKnown) return undefined;
  return {
    h_m: o.sigmaHM ?? undefined,
    v_m: o.sigmaVM ?? undefined,
    range_m: o.sigmaRangeM ?? undefined,
    azimuth_deg: o.sigmaAzimuthDeg ?? undefined,
    elevation_deg: o.sigmaElevationDeg ?? undefined,
    speed_mps: o.sigmaSpeedMps ?? undefined,
  };
}
