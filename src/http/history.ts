import { type TrackFormat, trackFile } from '../evidence/track_files.ts';
import type { TrackPoint } from '../model/track.ts';

export const historyTypes: Record<TrackFormat, string> = {
  geojson: 'application/geo+json',
  kml: 'application/vnd.google-earth.kml+xml',
  csv: 'text/csv; charset=utf-8',
};
export type HistoryFormat = TrackFormat;

/** A track's history as a file. */
export async function writeHistory(
  format: HistoryFormat,
  trackId: string,
  points: readonly TrackPoint[],
): Promise<string> {
  let text = '';
  for await (const piece of trackFile(format, trackId, [points])) text += piece;
  return text;
}
