import type { AlertSeverity, ZoneTransition } from '../../model/firing.ts';
import type { ThreatLevel } from '../../model/posture.ts';
import type { Track, TrackState } from '../../model/track.ts';
import type { Integrity } from '../../model/track_row.ts';
import type { zoneKinds } from '../../model/zone.ts';

/** How a track stands to one zone that it is in or near; what is not known is NaN, what never comes Infinity. */
export type ZoneFact = {
  id: string;
  name: string;
  kind: (typeof zoneKinds)[number];
  /** Whom its alarm asks for, and how loud it is. */
  alarm: { on: readonly ZoneTransition[]; severity: AlertSeverity };
  /** In its volume, and of those that it applies to, while it holds. */
  inside: boolean;
  /** Along the ground to its edge, negative inside. */
  distanceM: number;
  closingMps: number;
  /** When it will be in its volume as it flies; 0 where it is. */
  etaS: number;
  dwellS: number;
  /** Will be in it within the zone's time of warning; holds with hysteresis. */
  approaching: boolean;
  /** Has been in it for the zone's dwell time. */
  dwelling: boolean;
};

/** Who flies near: of the pairs only those within a few kilometres are there. */
export type NearFact = { trackId: string; label: string; assetName: string | null; distanceM: number; crewed: boolean };

/** Everything that a rule may ask of a track. Kept by the core and changed in place: take no piece of it along. */
export type TrackFacts = {
  id: string;
  number: number;
  /** T-0042. */
  label: string;
  state: TrackState;
  affiliation: Track['affiliation'];
  affiliationBasis: Track['affiliation_basis'];
  assetId: string | null;
  /** The asset whose key it tells without being it. */
  clonedOf: { id: string; name: string } | null;
  /** Strongest first, without addresses of radios. */
  identities: readonly { type: string; value: string }[];
  /** It tells a name of itself. */
  named: boolean;
  classification: readonly { label: string; confidence: number }[];
  cooperative: Track['cooperative'];
  flags: readonly Track['flags'][number][];
  verdict: Integrity['verdict'];
  /** Why it is not borne out. */
  doubts: Integrity['reasons'];
  crewed: boolean;
  lat: number;
  lon: number;
  altHaeM: number;
  /** Above ground, else above where it took off. */
  heightM: number;
  speedMps: number;
  courseDeg: number;
  climbMps: number;
  score: number;
  level: ThreatLevel;
  groupId: string | null;
  groupSize: number;
  /** How long it has stood or circled within a small place. */
  loiterS: number;
  /** Earlier days on which it was here. */
  visits: number;
  firstSeenMs: number;
  /** How long it was a friend by telemetry or assignment until it was no more: that counts for no rule. */
  sureFriendMs: number;
  lastSeenMs: number;
  /** It lies in an ignore zone: nothing of it is to raise an alert. */
  ignored: boolean;
  /** A person looked at it and said that it is none. */
  dismissed: boolean;
  /** The nearest protected thing: distance along the ground and how fast it shrinks. */
  nearest: { id: string; name: string; distanceM: number; closingMps: number } | null;
  zones: readonly ZoneFact[];
  /** Our own vehicles near it; of our own vehicles, whoever else is near. */
  near: readonly NearFact[];
  /** What it is heard from, the same text for the same transmitter; absent where nobody tells. Never shown. */
  radios?: readonly string[];
};

/** `reason` says why it is not operational; `isFull`: it stands for a link whose table of unproven sources is full. */
export type SensorFact = { id: string; name: string; state: string; reason?: string | null; isFull?: boolean };

/** Where an asset is, for rules that ask how near one is to it. */
export type AssetFact = { id: string; name: string; lat: number; lon: number };

/** What one look of the rules goes by. Time is the world's, in milliseconds. */
export type Facts = {
  nowMs: number;
  tracks: Iterable<TrackFacts>;
  sensors: Iterable<SensorFact>;
  assets?: Iterable<AssetFact>;
};
