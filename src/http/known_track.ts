import type { Service } from './service.ts';

/** Throws `not_found` where nothing is known of a track, in the picture or in the history. */
export async function requireKnownTrack({ tracks }: Pick<Service, 'tracks'>, trackId: string): Promise<void> {
  if (tracks.get(trackId) !== undefined) return;
  await tracks.history({ trackId, stepS: null, limit: 1, cursor: null, sinceMs: null, untilMs: null });
}
