import { dialog } from '../state/select.ts';
import { words } from '../words/en.ts';

/** Opens the search. It is a tool of the map, and on a small screen a row of the menu, which has more room. */
export function FindButton() {
  return (
    <button
      type="button"
      onClick={() => {
        dialog.value = 'find';
      }}
    >
      {words.find}
    </button>
  );
}
