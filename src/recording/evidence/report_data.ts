import type { Alert } from '../../model/alert.ts';
import type { ThreatLevel } from '../../model/posture.ts';
import type { Sighting } from '../../model/sighting.ts';
import type { Track, TrackPoint } from '../../model/track.ts';
import type { Zone } from '../../model/zone.ts';

/** A point of the track that has a position. */
export type PlacedPoint = TrackPoint & { lat: number; lon: number };

/** An action of a user, key or the open surface about the track, from the log. */
export type Deed = { at: string; by: string; text: string; reason: string | null };

/** Content of a report. Its texts may come from unknown senders and must be escaped. */
export type ReportData = {
  track: Track;
  exportedAt: string;
  exportedBy: string;
  program: { name: string; version: string };
  workspace: string;
  timeZone: string;
  /** Observed points with a position, thinned out. */
  points: readonly PlacedPoint[];
  /** Number of all points, and number of those in the states `coasting` and `lost`, which are predictions. */
  pointCount: number;
  extrapolatedCount: number;
  highestLevel: ThreatLevel | null;
  nearest: Sighting['nearest'];
  entered: Sighting['zones'];
  /** Current zones, for the map sketch, and for names and kinds that `entered` lacks. */
  zones: readonly Pick<Zone, 'id' | 'name' | 'kind' | 'geometry'>[];
  alerts: readonly Alert[];
  deeds: readonly Deed[];
  /** Returns the name of a sensor or asset; null if the id is unknown. */
  nameOf(id: string): string | null;
  hasFrames: boolean;
};
