import { computed, type Signal, signal } from '@preact/signals';
import { chosenMinute } from './timeline.ts';

/** Whether the table of tracks is shown in place of the map. */
export const isTableOpen: Signal<boolean> = signal(false);
/** Whether the log below the map is open. */
export const isLogOpen: Signal<boolean> = signal(false);

export function toggleTable(): void {
  isTableOpen.value = !isTableOpen.value;
}

/** Opens or closes the log. It opens with the newest rows, also if a minute was chosen long ago. */
export function toggleLog(): void {
  chosenMinute.value = null;
  isLogOpen.value = !isLogOpen.value;
}

/** Limits of rows while table and log are closed, one is open, or both are: the page has at most 4 000 nodes. */
const MOST_ROWS = [100, 60, 40] as const;

/** Limit of the rows of each long list; rows beyond it are counted. */
export const mostRows = computed(() => MOST_ROWS[(Number(isTableOpen.value) + Number(isLogOpen.value)) as 0 | 1 | 2]);
