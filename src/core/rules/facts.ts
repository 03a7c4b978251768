import type { Geodetic, LatLon } from '../../geo/position.ts';
import type { AlertSeverity, ZoneTransition } from '../../model/firing.ts';
import { trackLabel } from '../../model/ids.ts';
import type { ThreatLevel } from '../../model/posture.ts';
import type { Track, TrackState } from '../../model/track.ts';
import type { Integrity } from '../../model/track_row.ts';
import type { ScoredZoneKind, zoneKinds } from '../../model/zone.ts';
import type { HeightReference } from '../threat/situation.ts';

/** Distance from a reference position within which an aircraft counts as hovering or circling, m. */
export const LOITER_WITHIN_M = 200;

/**
 * Relation of a track to one zone that the track is in or near. NaN is an unknown value. Infinity is the time of an
 * event that is not predicted, because it comes too late or never.
 */
export class ZoneFact {
  id: string;
  name: string;
  kind: (typeof zoneKinds)[number];
  /** Transitions that raise the zone's alarm, and the severity of the alarm. */
  alarm: { on: readonly ZoneTransition[]; severity: AlertSeverity };
  /** Whether the track is in the zone's volume. False while the zone is inactive or does not apply to the track. */
  inside = false;
  /** Distance along the ground to the zone's edge, m; negative inside. */
  distanceM = Number.NaN;
  closingMps = Number.NaN;
  /** Time until entry into the zone's volume on the present course, s; 0 inside. */
  etaS = Number.POSITIVE_INFINITY;
  dwellS = 0;
  /** Whether the track will enter within the zone's warning time. Hysteresis keeps the value from flickering. */
  approaching = false;
  /** Whether the track has been inside for at least the zone's dwell time. */
  dwelling = false;

  constructor({ id, name, kind, alarm }: Pick<ZoneFact, 'id' | 'name' | 'kind' | 'alarm'>) {
    this.id = id;
    this.name = name;
    this.kind = kind;
    this.alarm = alarm;
  }
}

/**
 * Nearest scored area: a zone, or an asset if `zoneKind` is null. `distanceM` is along the ground; `closingMps` is the
 * rate at which it decreases.
 */
type NearestArea = { id: string; name: string; zoneKind: ScoredZoneKind | null; distanceM: number; closingMps: number };

/** A neighbour of a track, at most some kilometres away. `assetName` is null if the neighbour is not an asset. */
export type NearFact = { trackId: string; label: string; assetName: string | null; distanceM: number; crewed: boolean };

/**
 * All values of a track that rules may use. The core updates the object in place, so readers must not keep parts of it.
 */
export class TrackFacts implements Geodetic {
  id: string;
  number: number;
  /** Label of the track, such as `T-0042`. */
  label: string;
  state: TrackState = 'tentative';
  affiliation: Track['affiliation'] = 'unknown';
  affiliationBasis: Track['affiliation_basis'] = 'none';
  assetId: string | null = null;
  /** Asset whose identity the track reports although it is another aircraft; null if there is none. */
  clonedOf: { id: string; name: string } | null = null;
  /** Identities that name the aircraft, in the order of their first reception. */
  identities: readonly { type: string; value: string }[] = [];
  /** Whether the track reports an identity that names the aircraft. */
  named = false;
  classification: readonly { label: string; confidence: number }[] = [];
  cooperative: Track['cooperative'] = 'non_coop_only';
  flags: readonly Track['flags'][number][] = [];
  verdict: Integrity['verdict'] = 'unchecked';
  /** Reasons against the track's claims. */
  doubts: Integrity['reasons'] = [];
  crewed = false;
  latDeg = Number.NaN;
  lonDeg = Number.NaN;
  altHaeM = Number.NaN;
  /** Height above `heightAbove`, m. */
  heightM = Number.NaN;
  heightAbove: HeightReference = 'ground';
  speedMps = Number.NaN;
  courseDeg = Number.NaN;
  climbMps = Number.NaN;
  score = 0;
  level: ThreatLevel = 'none';
  groupId: string | null = null;
  groupSize = 1;
  /** Time for which the track has hovered or circled within a small area, s. */
  loiterS = 0;
  /** Number of earlier days on which the aircraft was seen at this site. */
  visits = 0;
  firstSeenMs = Number.NaN;
  /**
   * Total length of the ended spans in which telemetry or an assignment showed the track as a friend, ms. Rules
   * subtract it from the age of the track.
   */
  sureFriendMs = 0;
  lastSeenMs = Number.NaN;
  /**
   * Whether the track is in an ignore zone. Rules then raise no alert about it, except rules about own vehicles and
   * about copied serials.
   */
  ignored = false;
  /** Whether a person dismissed the track as no threat. */
  dismissed = false;
  /** Nearest area that counts for the score; null if there is none. */
  nearest: NearestArea | null = null;
  zones: readonly ZoneFact[] = [];
  /** Own vehicles near the track; if the track is an own vehicle, all aircraft near it. */
  near: readonly NearFact[] = [];
  /**
   * Radio addresses from which the track is received, used only to count transmitters and never shown; absent if not
   * known.
   */
  radios?: readonly string[];

  constructor({
    id,
    number,
    firstSeenMs,
    lastSeenMs,
  }: Pick<TrackFacts, 'id' | 'number' | 'firstSeenMs' | 'lastSeenMs'>) {
    this.id = id;
    this.number = number;
    this.label = trackLabel(number);
    this.firstSeenMs = firstSeenMs;
    this.lastSeenMs = lastSeenMs;
  }
}

/**
 * A sensor. `reason` is why it is not operational; `isFull` is true for a link on which a new source
 * recently found no free place.
 */
export type SensorFact = { id: string; name: string; state: string; reason?: string | null; isFull?: boolean };

/** Position of an asset, for rules about the distance from it. */
export type AssetFact = LatLon & { id: string; name: string };

/** Facts for one evaluation of the rules. Times are world time, ms. */
export type Facts = {
  nowMs: number;
  tracks: Iterable<TrackFacts>;
  sensors: Iterable<SensorFact>;
  assets?: Iterable<AssetFact>;
  /** Ids of the zones that are active now; absent if not known. */
  zoneIds?: ReadonlySet<string>;
};
