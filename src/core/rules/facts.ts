import type { Geodetic, LatLon } from '../../geo/position.ts';
import type { AlertSeverity, ZoneTransition } from '../../model/firing.ts';
import { trackLabel } from '../../model/ids.ts';
import type { ThreatLevel } from '../../model/posture.ts';
import type { Track, TrackState } from '../../model/track.ts';
import type { Integrity } from '../../model/track_row.ts';
import type { ScoredZoneKind, zoneKinds } from '../../model/zone.ts';
import type { HeightReference } from '../threat/situation.ts';

/** Distance from a reference place within which an aircraft counts as standing or circling, m. */
export const LOITER_WITHIN_M = 200;

/** Relation of a track to one zone that it is in or near. Unknown values are NaN, times that never come Infinity. */
export class ZoneFact {
  id: string;
  name: string;
  kind: (typeof zoneKinds)[number];
  /** Transitions that raise the zone's alarm, and the alarm's severity. */
  alarm: { on: readonly ZoneTransition[]; severity: AlertSeverity };
  /** Whether the track is in the zone's volume, while the zone is active and applies to the track. */
  inside = false;
  /** Distance along the ground to the zone's edge, m; negative inside. */
  distanceM = Number.NaN;
  closingMps = Number.NaN;
  /** Time to entry into the volume on the present course, s; 0 inside. */
  etaS = Number.POSITIVE_INFINITY;
  dwellS = 0;
  /** Whether the track will be inside within the zone's warning time; with hysteresis. */
  approaching = false;
  /** Whether the track has been inside for the zone's dwell time. */
  dwelling = false;

  constructor({ id, name, kind, alarm }: Pick<ZoneFact, 'id' | 'name' | 'kind' | 'alarm'>) {
    this.id = id;
    this.name = name;
    this.kind = kind;
    this.alarm = alarm;
  }
}

/** A zone, or an asset where `zoneKind` is null; its distance along the ground, and the speed at which that shrinks. */
type NearestArea = { id: string; name: string; zoneKind: ScoredZoneKind | null; distanceM: number; closingMps: number };

/** A neighbour of a track: only pairs within a few kilometres are listed. */
export type NearFact = { trackId: string; label: string; assetName: string | null; distanceM: number; crewed: boolean };

/** Everything that a rule may use of a track. The core keeps and changes it in place, so readers keep no part of it. */
export class TrackFacts implements Geodetic {
  id: string;
  number: number;
  /** T-0042. */
  label: string;
  state: TrackState = 'tentative';
  affiliation: Track['affiliation'] = 'unknown';
  affiliationBasis: Track['affiliation_basis'] = 'none';
  assetId: string | null = null;
  /** The asset whose key the track reports without being that asset. */
  clonedOf: { id: string; name: string } | null = null;
  /** Strongest first, without radio addresses. */
  identities: readonly { type: string; value: string }[] = [];
  /** The track reports a name. */
  named = false;
  classification: readonly { label: string; confidence: number }[] = [];
  cooperative: Track['cooperative'] = 'non_coop_only';
  flags: readonly Track['flags'][number][] = [];
  verdict: Integrity['verdict'] = 'unchecked';
  /** Reasons against its claims. */
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
  /** Time for which it has stood or circled within a small place. */
  loiterS = 0;
  /** Number of earlier days on which the aircraft was here. */
  visits = 0;
  firstSeenMs = Number.NaN;
  /** Time as a friend by telemetry or assignment, until it ended, ms. Rules do not count it. */
  sureFriendMs = 0;
  lastSeenMs = Number.NaN;
  /** The track lies in an ignore zone: no rule raises an alert about it. */
  ignored = false;
  /** A person dismissed the track as no threat. */
  dismissed = false;
  /** The nearest area that counts for the score. */
  nearest: NearestArea | null = null;
  zones: readonly ZoneFact[] = [];
  /** Own vehicles near the track; for an own vehicle, all aircraft near it. */
  near: readonly NearFact[] = [];
  /**
   * Transmitters that the track is received from; equal text means equal transmitters. Absent where not known. Never
   * shown.
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

/** `reason` is why the sensor is not operational. `isFull`: it is a link whose table of unproven sources is full. */
export type SensorFact = { id: string; name: string; state: string; reason?: string | null; isFull?: boolean };

/** Place of an asset, for rules on the distance to one. */
export type AssetFact = LatLon & { id: string; name: string };

/** Facts of one evaluation of the rules. Time is the world's, in milliseconds. */
export type Facts = {
  nowMs: number;
  tracks: Iterable<TrackFacts>;
  sensors: Iterable<SensorFact>;
  assets?: Iterable<AssetFact>;
  /** Ids of the zones that are active now; absent where not known. */
  zoneIds?: ReadonlySet<string>;
};
