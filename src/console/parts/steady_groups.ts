import { useRef } from 'preact/hooks';
import type { Track } from '../../model/track.ts';
import { SteadyGroups } from '../state/steady_groups.ts';

/** Groups by which to fold a list of tracks, by track id (`SteadyGroups`). */
export function useSteadyGroups(
  tracks: readonly Pick<Track, 'id' | 'group_id'>[],
  isHeld: boolean,
): ReadonlyMap<string, string | null> {
  const groups = useRef(new SteadyGroups());
  const present = new Map(tracks.map(({ id, group_id }) => [id, group_id]));
  return groups.current.take(present, isHeld, performance.now());
}
