import { computed, type Signal, signal } from '@preact/signals';

/** Whether the tracks table stands in the map's place. */
export const isTableOpen: Signal<boolean> = signal(false);
/** Whether the log is open below. */
export const isLogOpen: Signal<boolean> = signal(false);

export function toggleTable(): void {
  isTableOpen.value = !isTableOpen.value;
}

export function toggleLog(): void {
  isLogOpen.value = !isLogOpen.value;
}

/** Rows of each list while neither, one or both of them are open: the page has at most 4 000 nodes. */
const MOST_ROWS = [100, 60, 40] as const;

/** Rows that each of the long lists shows; what a list does not show, it counts. */
export const mostRows = computed(() => MOST_ROWS[(Number(isTableOpen.value) + Number(isLogOpen.value)) as 0 | 1 | 2]);
