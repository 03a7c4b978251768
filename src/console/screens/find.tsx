import { useState } from 'preact/hooks';
import { store } from '../console.ts';
import { ringsOf } from '../map/shapes.ts';
import { centre, show } from '../map/view.ts';
import { showTrack } from '../panels/show_track.ts';
import { Dialog } from '../parts/dialog.tsx';
import { type Found, found } from '../state/found.ts';
import { settings } from '../state/settings.ts';
import { words } from '../words/en.ts';
import { placeText } from '../words/position.ts';

/** Search for a track, a zone, a vehicle or a place. Enter takes the first that was found. */
export function FindDialog({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('');
  const all = found(text, { tracks: store.tracks.list(), zones: store.zones.list(), assets: store.assets.list() });
  const open = (one: Found | undefined): void => {
    if (one === undefined) return;
    reach(one);
    onClose();
  };
  return (
    <Dialog title={words.find} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          open(all[0]);
        }}
      >
        <label>
          {words.findHint}
          <input type="search" value={text} maxLength={120} onInput={(event) => setText(event.currentTarget.value)} />
        </label>
        {text.trim() !== '' && all.length === 0 ? <p role="status">{words.nothingFound}</p> : null}
        <ul class="rows">
          {all.map((one) => (
            <li key={keyOf(one)}>
              <button type="button" class="row" onClick={() => open(one)}>
                <Name of={one} />
              </button>
            </li>
          ))}
        </ul>
      </form>
    </Dialog>
  );
}

function reach(one: Found): void {
  if (one.kind === 'track') showTrack(one.track.id);
  else if (one.kind === 'place') centre(one.place);
  else show(ringsOf(one.geometry).flat());
}

const keyOf = (one: Found): string => (one.kind === 'track' ? one.track.id : one.kind === 'zone' ? one.id : one.kind);

function Name({ of }: { of: Found }) {
  if (of.kind === 'place') return <>{words.foundPlace(placeText(of.place, settings.value))}</>;
  if (of.kind === 'zone') return <bdi>{of.name}</bdi>;
  return (
    <>
      <strong>{of.track.number}</strong> {of.by === of.track.number ? null : <bdi>{of.by}</bdi>}
    </>
  );
}
