import { type Signal, signal } from '@preact/signals';
import { sheet } from './screen.ts';

/** Tabs of the panel. Only a small screen has `threats`, `alerts` and `log`; a large one shows them around the map. */
export type Tab = 'threats' | 'alerts' | 'track' | 'approvals' | 'fleet' | 'zones' | 'health' | 'log';

/** The selected track; null while none is selected. */
export const selection: Signal<{ kind: 'track'; id: string } | null> = signal(null);
/** Open tab of the panel. Where the screen has no such tab, the track is shown. */
export const tab: Signal<Tab> = signal('threats');

/** Open form of the selected track; null where none is open. */
export const trackForm: Signal<'dismiss' | 'affiliation' | 'drop' | null> = signal(null);

/** Key of the vehicle whose card is brought into view; null after that. */
export const vehicleShown: Signal<string | null> = signal(null);

export function selectTrack(id: string): void {
  if (selection.peek()?.id !== id) trackForm.value = null;
  selection.value = { kind: 'track', id };
  tab.value = 'track';
  if (sheet.peek() === 'low') sheet.value = 'half';
}

/** Dialog over the screen; null where none is open. */
export const dialog: Signal<'settings' | 'keys' | 'sign_in' | 'find' | null> = signal(null);
