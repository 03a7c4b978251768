import { type Signal, signal } from '@preact/signals';

export type Tab = 'track' | 'approvals' | 'fleet' | 'zones' | 'health' | 'log';

/** The selected track; null where none is. */
export const selection: Signal<{ kind: 'track'; id: string } | null> = signal(null);
/** Open tab of the right panel. */
export const tab: Signal<Tab> = signal('track');

/** Key of the vehicle whose card is brought into view; null after that. */
export const vehicleShown: Signal<string | null> = signal(null);

export function selectTrack(id: string): void {
  selection.value = { kind: 'track', id };
  tab.value = 'track';
}

/** Dialog over the screen; null where none is open. */
export const dialog: Signal<'settings' | 'keys' | 'sign_in' | null> = signal(null);
