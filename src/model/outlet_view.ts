import type { Alert } from './alert.ts';
import type { ThreatLevel } from './posture.ts';
import type { Modality } from './sensor.ts';
import type { Track } from './track.ts';

/** Track as an outlet sends it: redacted, and with facts from other documents that the formats need. */
export type TrackView = {
  track: Track;
  /**
   * Threat of the track, with the level `none` if it is no threat. Null if redacted. `reason` is the sentence of the
   * first factor.
   */
  threat: { level: ThreatLevel; score: number; reason: string | null } | null;
  /** Asset that gave the track its affiliation; null if there is none. `cotType` comes from its catalog entry. */
  asset: { name: string; cotType: string | null } | null;
  /** Sensors that contribute to the track. `nodeId` is set for a SAPIENT node. */
  sensors: readonly { id: string; name: string; modality: Modality; nodeId?: string }[];
};

/**
 * Alert as an outlet sends it. `text` is redacted. `tracks` contains only those tracks of the alert that the outlet
 * sends.
 */
export type AlertView = Pick<Alert, 'id' | 'severity' | 'state' | 'raised_at' | 'track_ids'> & {
  tracks: readonly TrackView[];
  text: string;
  isWorse: boolean;
};

/** Identification of the sending box. */
export type OutletBox = {
  /** UUID v4 of this workspace on this box. */
  nodeId: string;
  version: string;
};

/** Position of the box. */
export type OutletPlace = { lat: number; lon: number; altHaeM: number | null };

/**
 * One message of an outlet. `uid` is the id under which the peer knows the object, for example a track. `to` is a
 * receiver other than the outlet's address.
 */
export type OutletMessage = { uid: string; bytes: Uint8Array; to?: string };
