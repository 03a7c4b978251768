import type { Alert } from './alert.ts';
import type { ThreatLevel } from './posture.ts';
import type { Modality } from './sensor.ts';
import type { Track } from './track.ts';

/** A track as an outlet sends it: redacted, with the facts of other documents that formats need. */
export type TrackView = {
  track: Track;
  /** Null where the threat is redacted. `reason` is the sentence of the first factor. */
  threat: { level: ThreatLevel; score: number; reason: string | null } | null;
  /** The own asset of the track. `cotType` is that of its catalog entry. */
  asset: { name: string; cotType: string | null } | null;
  /** Sensors that contribute; `nodeId` is that of a SAPIENT node. */
  sensors: readonly { id: string; name: string; modality: Modality; nodeId?: string }[];
};

/** An alert as an outlet sends it; `text` is redacted. `tracks` are those of its tracks that are sent. */
export type AlertView = Pick<Alert, 'id' | 'severity' | 'state' | 'raised_at' | 'track_ids'> & {
  tracks: readonly TrackView[];
  text: string;
  isWorse: boolean;
};

/** The box that sends. */
export type OutletBox = {
  /** UUID v4 of the workspace on this box. */
  nodeId: string;
  version: string;
};

/** Place of the box. */
export type OutletPlace = { lat: number; lon: number; altHaeM: number | null };

/** One message of an outlet. `uid` names its object at the peer; `to` is another receiver than that of the outlet. */
export type OutletMessage = { uid: string; bytes: Uint8Array; to?: string };
