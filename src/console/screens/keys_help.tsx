import { Dialog } from '../parts/dialog.tsx';
import { words } from '../words/en.ts';

const rows = [
  ['J, K', 'next or previous threat'],
  ['N', 'show the first unacknowledged alert'],
  ['A', 'acknowledge the first unacknowledged alert'],
  ['D', 'dismiss the selected track: opens the form'],
  ['T, L, E, F, H', 'threats, alerts, approvals, fleet, health'],
  ['G, /', 'find a track, a zone, a vehicle or a place'],
  ['C', 'centre the selected track'],
  ['S, Z', 'fit the site, or the tracks around it'],
  ['R, B, P, V', 'rings, labels, trails, lines ahead'],
  ['[, ]', 'brighter or darker theme'],
  ['M', 'silence the sound for 30 s'],
  ['?', 'this list'],
  ['Shift+X', 'held for 1 s: STOP ALL'],
  ['Arrows', 'on a tab: the next or previous tab'],
  ['Esc', 'close, or end a measurement'],
] as const;

/** List of the keyboard shortcuts. No shortcut approves a plan: a person must hold the button for that. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={words.keys} onClose={onClose}>
      <table>
        <tbody>
          {rows.map(([key, text]) => (
            <tr key={key}>
              <th scope="row">
                <kbd>{key}</kbd>
              </th>
              <td>{text}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="quiet">{words.noKeyApproves}</p>
    </Dialog>
  );
}
