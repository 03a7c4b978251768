import { type Signal, signal } from '@preact/signals';

/**
 * Media query for screens without room for lists beside the map: phones, also on their side, and 200 % zoom.
 * `style/small.css` has the same query.
 */
export const SMALL_SCREEN = '(max-width: 700px), (max-height: 500px)';

/** Whether the screen is small, so that threats and alerts are tabs of the one panel. */
export const isSmall: Signal<boolean> = signal(false);

/** Follows the size of the window. */
export function startScreen(window: Pick<Window, 'matchMedia'>): void {
  const query = window.matchMedia(SMALL_SCREEN);
  isSmall.value = query.matches;
  query.addEventListener('change', () => {
    isSmall.value = query.matches;
  });
}

/** Share of a small screen that the panel takes. */
export const sheetSizes = ['low', 'half', 'full'] as const;
export type SheetSize = (typeof sheetSizes)[number];
export const sheet: Signal<SheetSize> = signal('half');

/** Makes the panel larger (+1) or smaller (-1). */
export function resizeSheet(by: 1 | -1): void {
  const next = sheetSizes[sheetSizes.indexOf(sheet.peek()) + by];
  if (next) sheet.value = next;
}

/** Next size of a press on the handle; after the largest comes the smallest. */
export function nextSheetSize(): void {
  const at = sheetSizes.indexOf(sheet.peek());
  sheet.value = sheetSizes[(at + 1) % sheetSizes.length] ?? 'half';
}
