import { type Signal, signal } from '@preact/signals';

/** Subject of the right panel. */
export type Selection = { kind: 'track' | 'engagement' | 'vehicle' | 'zone'; id: string } | null;

export const selection: Signal<Selection> = signal(null);

export function selectTrack(id: string): void {
  selection.value = { kind: 'track', id };
}
