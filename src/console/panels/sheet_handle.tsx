import { useRef } from 'preact/hooks';
import { nextSheetSize, resizeSheet, sheet } from '../state/screen.ts';
import { words } from '../words/en.ts';

/** Distance that a finger must move to change the size, px. */
const DRAG_PX = 24;

/** Handle of the panel on a small screen: a press takes the next size, a drag makes it larger or smaller. */
export function SheetHandle() {
  const fromY = useRef<number | null>(null);
  const isDragged = useRef(false);
  return (
    <button
      type="button"
      class="sheet-handle"
      aria-label={words.sheetSize(sheet.value)}
      onPointerDown={({ clientY, pointerId, currentTarget }) => {
        currentTarget.setPointerCapture(pointerId);
        fromY.current = clientY;
        isDragged.current = false;
      }}
      onPointerMove={({ clientY }) => {
        const upPx = (fromY.current ?? clientY) - clientY;
        if (Math.abs(upPx) < DRAG_PX) return;
        resizeSheet(upPx > 0 ? 1 : -1);
        fromY.current = clientY;
        isDragged.current = true;
      }}
      onPointerUp={() => {
        fromY.current = null;
      }}
      onClick={() => {
        if (!isDragged.current) nextSheetSize();
        isDragged.current = false;
      }}
    >
      <span aria-hidden="true" />
    </button>
  );
}
