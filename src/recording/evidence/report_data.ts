import type { Alert } from '../../model/alert.ts';
import type { ThreatLevel } from '../../model/posture.ts';
import type { Sighting } from '../../model/sighting.ts';
import type { Track, TrackPoint } from '../../model/track.ts';
import type { Zone } from '../../model/zone.ts';

/** A point of the track that has a position. */
export type PlacedPoint = TrackPoint & { lat: number; lon: number };

/** An entry of the log in which a person did something about the track. */
export type Deed = { at: string; by: string; text: string; reason: string | null };

/** Everything that a report shows. Texts in it may come from strangers. */
export type ReportData = {
  track: Track;
  exportedAt: string;
  exportedBy: string;
  program: { name: string; version: string };
  workspace: string;
  timeZone: string;
  /** Points with a position, thinned, and how many points there are in all. */
  points: readonly PlacedPoint[];
  pointCount: number;
  highestLevel: ThreatLevel | null;
  nearest: Sighting['nearest'];
  entered: Sighting['zones'];
  /** Zones as they are drawn now, for the sketch. */
  zones: readonly Pick<Zone, 'id' | 'name' | 'kind' | 'geometry'>[];
  alerts: readonly Alert[];
  deeds: readonly Deed[];
  /** Names of sensors and assets by their ids. */
  nameOf(id: string): string | null;
  hasFrames: boolean;
};
