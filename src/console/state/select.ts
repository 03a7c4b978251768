import { type Signal, signal } from '@preact/signals';
import { sheet } from './screen.ts';

/** Tabs of the panel. Only a small screen has `threats`, `alerts` and `log`; a large one shows them around the map. */
export type Tab = 'threats' | 'alerts' | 'track' | 'approvals' | 'fleet' | 'zones' | 'health' | 'log';

/** The selected track; null while none is selected. */
export const selection: Signal<{ kind: 'track'; id: string } | null> = signal(null);
/** Open tab of the panel. Where the screen has no such tab, the track is shown. */
export const tab: Signal<Tab> = signal('threats');

export type TrackForm = 'dismiss' | 'affiliation' | 'drop' | null;
/** Open form of the selected track; null where none is open. */
export const trackForm: Signal<TrackForm> = signal(null);
let isFormNew = false;

/** Opens a form of the selected track, which then takes the focus; null closes the open one. */
export function openTrackForm(form: TrackForm): void {
  isFormNew = form !== null;
  trackForm.value = form;
}

/** Whether a form was just opened. A form that is drawn again, as its tab is opened again, must not take the focus. */
export function takeNewForm(): boolean {
  const was = isFormNew;
  isFormNew = false;
  return was;
}

/** Key of the vehicle whose card is brought into view; null after that. */
export const vehicleShown: Signal<string | null> = signal(null);

/** Opens a tab. On a small screen, a lowered panel is raised, so that the tab can be read. */
export function openTab(opened: Tab): void {
  tab.value = opened;
  if (sheet.peek() === 'low') sheet.value = 'half';
}

export function selectTrack(id: string): void {
  if (selection.peek()?.id !== id) trackForm.value = null;
  selection.value = { kind: 'track', id };
  openTab('track');
}

/** Dialog over the screen; null where none is open. */
export const dialog: Signal<'settings' | 'keys' | 'sign_in' | 'find' | null> = signal(null);
