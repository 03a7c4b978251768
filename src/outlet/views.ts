import type { Alert } from '../model/alert.ts';
import { severityRank } from '../model/alert.ts';
import type { Health } from '../model/health.ts';
import type { Redaction } from '../model/outlet.ts';
import type { AlertView, OutletPlace, TrackView } from '../model/outlet_view.ts';
import type { Threat } from '../model/threat.ts';
import type { Track } from '../model/track.ts';
import type { Geometries } from './area.ts';
import { firstReason, hiddenNames, redactedTrack, withoutNames } from './redact.ts';

/** Current picture of the live world, as outlets read it. */
export type OutletPicture = Geometries & {
  tracks(): readonly Track[];
  track(id: string): Track | undefined;
  threat(trackId: string): Threat | undefined;
  alerts(): readonly Alert[];
  asset(id: string): TrackView['asset'];
  sensor(id: string): Omit<TrackView['sensors'][number], 'id'> | null;
  /** Returns the position of the box; null if unknown. */
  place(): OutletPlace | null;
  health(): Health;
  /** Returns the node ids of the SAPIENT sensors. */
  sapientNodes(): readonly string[];
  /** Returns true if the clock of the box has a trusted source. */
  isClockTrusted(): boolean;
};

/** Returns a track in the form that outlets send, with facts from other documents. */
export function viewOf(track: Track, redact: readonly Redaction[], picture: OutletPicture): TrackView {
  const threat = picture.threat(track.id);
  const [level, score] = [threat?.level ?? 'none', threat?.score ?? 0];
  const reason = threat === undefined ? null : firstReason(threat, track, redact);
  const isNamed = track.asset_id !== null && !redact.includes('identity');
  return {
    track: redactedTrack(track, redact),
    threat: redact.includes('threat') ? null : { level, score, reason },
    asset: isNamed && track.asset_id !== null ? picture.asset(track.asset_id) : null,
    sensors: track.contributors.flatMap(({ sensor_id: id }) => {
      const sensor = picture.sensor(id);
      return sensor === null ? [] : [{ id, ...sensor }];
    }),
  };
}

/**
 * Returns an alert without the redacted names of its tracks. `isSent` tells whether a track passes the filter of the
 * outlet.
 */
export function alertView(
  alert: Alert,
  redact: readonly Redaction[],
  picture: OutletPicture,
  isSent: (track: Track) => boolean,
): AlertView {
  const { id, severity, state, raised_at, track_ids, steps } = alert;
  const names = alert.track_ids.flatMap((trackId) => {
    const track = picture.track(trackId);
    if (track === undefined) return [];
    const asset = track.asset_id !== null && redact.includes('identity') ? picture.asset(track.asset_id) : null;
    return [...hiddenNames(track, redact), ...(asset === null ? [] : [asset.name])];
  });
  const first = steps[0]?.severity ?? severity;
  const isWorse = severityRank(severity) > severityRank(first);
  // The names of an ended track are no longer known, and the sentence may contain one of them.
  const isOver = track_ids.some((trackId) => picture.track(trackId) === undefined);
  const isHidden = isOver && redact.includes('identity');
  const text = isHidden ? `${severity} alert about a track that has ended` : withoutNames(alert.text, names);
  const sent = track_ids.flatMap((trackId) => picture.track(trackId) ?? []).filter(isSent);
  const tracks = sent.map((track) => viewOf(track, redact, picture));
  return { id, severity, state, raised_at, track_ids, tracks, text, isWorse };
}
