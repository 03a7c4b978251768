import type { Geodetic, LatLon } from '../../geo/position.ts';
import type { AlertSeverity, ZoneTransition } from '../../model/firing.ts';
import { trackLabel } from '../../model/ids.ts';
import type { ThreatLevel } from '../../model/posture.ts';
import type { Track, TrackState } from '../../model/track.ts';
import type { Integrity } from '../../model/track_row.ts';
import type { ScoredZoneKind, zoneKinds } from '../../model/zone.ts';

/** Relation of a track to one zone that it is in or near. Unknown values are NaN, times that never come Infinity. */
export class ZoneFact {
  id: string;
  name: string;
  kind: (typeof zoneKinds)[number];
  /** Transitions that its alarm asks for, and its severity. */
  alarm: { on: readonly ZoneTransition[]; severity: AlertSeverity };
  /** In its volume, and of those that it applies to, while it holds. */
  inside = false;
  /** Along the ground to its edge, negative inside. */
  distanceM = Number.NaN;
  closingMps = Number.NaN;
  /** When it will be in its volume as it flies; 0 where it is. */
  etaS = Number.POSITIVE_INFINITY;
  dwellS = 0;
  /** Will be in it within the zone's time of warning; holds with hysteresis. */
  approaching = false;
  /** Has been in it for the zone's dwell time. */
  dwelling = false;

  constructor({ id, name, kind, alarm }: Pick<ZoneFact, 'id' | 'name' | 'kind' | 'alarm'>) {
    this.id = id;
    this.name = name;
    this.kind = kind;
    this.alarm = alarm;
  }
}

/** A neighbour of a track: only pairs within a few kilometres are listed. */
/** A zone, or an asset, where `zoneKind` is null; its distance along the ground, and how fast that shrinks. */
type NearestArea = { id: string; name: string; zoneKind: ScoredZoneKind | null; distanceM: number; closingMps: number };

export type NearFact = { trackId: string; label: string; assetName: string | null; distanceM: number; crewed: boolean };

/** Everything that a rule may ask of a track. Kept by the core and changed in place: take no piece of it along. */
export class TrackFacts implements Geodetic {
  id: string;
  number: number;
  /** T-0042. */
  label: string;
  state: TrackState = 'tentative';
  affiliation: Track['affiliation'] = 'unknown';
  affiliationBasis: Track['affiliation_basis'] = 'none';
  assetId: string | null = null;
  /** The asset whose key it reports without being it. */
  clonedOf: { id: string; name: string } | null = null;
  /** Strongest first, without addresses of radios. */
  identities: readonly { type: string; value: string }[] = [];
  /** The track reports a name. */
  named = false;
  classification: readonly { label: string; confidence: number }[] = [];
  cooperative: Track['cooperative'] = 'non_coop_only';
  flags: readonly Track['flags'][number][] = [];
  verdict: Integrity['verdict'] = 'unchecked';
  /** Why it is not borne out. */
  doubts: Integrity['reasons'] = [];
  crewed = false;
  latDeg = Number.NaN;
  lonDeg = Number.NaN;
  altHaeM = Number.NaN;
  /** Above ground, else above where it took off. */
  heightM = Number.NaN;
  speedMps = Number.NaN;
  courseDeg = Number.NaN;
  climbMps = Number.NaN;
  score = 0;
  level: ThreatLevel = 'none';
  groupId: string | null = null;
  groupSize = 1;
  /** Time for which it has stood or circled within a small place. */
  loiterS = 0;
  /** Earlier days on which it was here. */
  visits = 0;
  firstSeenMs = Number.NaN;
  /** Time as a friend by telemetry or assignment, until it ended, ms. Rules do not count it. */
  sureFriendMs = 0;
  lastSeenMs = Number.NaN;
  /** The track lies in an ignore zone: no rule raises an alert about it. */
  ignored = false;
  /** A person dismissed the track as no threat. */
  dismissed = false;
  /** The nearest area that a score counts. */
  nearest: NearestArea | null = null;
  zones: readonly ZoneFact[] = [];
  /** Our own vehicles near it; of our own vehicles, whoever else is near. */
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

/** `reason` says why it is not operational; `isFull`: it stands for a link whose table of unproven sources is full. */
export type SensorFact = { id: string; name: string; state: string; reason?: string | null; isFull?: boolean };

/** Place of an asset, for rules on the distance to one. */
export type AssetFact = LatLon & { id: string; name: string };

/** Facts of one evaluation of the rules. Time is the world's, in milliseconds. */
export type Facts = {
  nowMs: number;
  tracks: Iterable<TrackFacts>;
  sensors: Iterable<SensorFact>;
  assets?: Iterable<AssetFact>;
  /** Zones that hold now; absent where that is not known. */
  zoneIds?: ReadonlySet<string>;
};
