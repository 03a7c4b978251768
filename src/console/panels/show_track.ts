import { store } from '../console.ts';
import { centre } from '../map/view.ts';
import { selectTrack } from '../state/select.ts';

/** Selects a track, and centres the map on it where its place is known. */
export function showTrack(id: string): void {
  const place = store.tracks.byId.get(id)?.position;
  if (place) centre(place);
  selectTrack(id);
}
