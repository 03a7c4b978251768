import { type Signal, signal } from '@preact/signals';
import { store } from '../console.ts';
import { HELD_MS } from '../state/held_order.ts';
import { settings } from '../state/settings.ts';
import { words } from '../words/en.ts';
import type { Spot } from './camera.ts';
import { camera } from './view.ts';

/** Tracks under the pointer, by id, the nearest first; and the place of the pointer. */
type Pointed = { ids: readonly string[]; spot: Spot };
const pointed: Signal<Pointed | null> = signal(null);

/** One line about the track below the pointer. Screen readers skip it: table and panel have the same content. */
export function Tip() {
  const [now, at] = [camera.value, pointed.value];
  const track = store.tracks.get(at?.ids[0] ?? null);
  if (now === null || at === null || !track) return null;
  const [x, y] = at.spot;
  // The line lies towards the middle of the map, so that no edge cuts it.
  const across = x < now.widthPx / 2 ? { left: `${x + 14}px` } : { right: `${now.widthPx - x + 14}px` };
  const down = y < now.heightPx / 2 ? { top: `${y + 14}px` } : { bottom: `${now.heightPx - y + 14}px` };
  return (
    <p class="map-tip" aria-hidden="true" style={{ ...across, ...down }}>
      {words.tip(track, at.ids.length - 1, settings.value)}
    </p>
  );
}

export type Pointing = {
  /** Finds the tracks under the pointer again, after tracks moved. */
  again: () => void;
  /**
   * Whether a person moved the pointer or pressed a key on the map in the last 6 s, and the pointer has not left. The
   * map must not move by itself during this time.
   */
  isHeld: () => boolean;
  stop: () => void;
};

/** Follows a pointer that rests over symbols. Ignores fingers, and a mouse with a pressed button, which drags. */
export function startPointing(element: HTMLElement, find: (spot: Spot) => readonly string[]): Pointing {
  let spot: Spot | null = null;
  let touchedMs = Number.NEGATIVE_INFINITY;
  const again = (): void => {
    const ids = spot === null ? [] : find(spot);
    pointed.value = spot === null || ids.length === 0 ? null : { ids, spot };
  };
  const move = (event: PointerEvent): void => {
    touchedMs = performance.now();
    const isOver = event.pointerType !== 'touch' && event.buttons === 0 && !(event.target as Element).closest('button');
    const { left, top } = element.getBoundingClientRect();
    spot = isOver ? [event.clientX - left, event.clientY - top] : null;
    again();
  };
  const touch = (): void => {
    touchedMs = performance.now();
    spot = null;
    again();
  };
  const leave = (): void => {
    touch();
    touchedMs = Number.NEGATIVE_INFINITY;
  };
  const ending = new AbortController();
  const { signal } = ending;
  element.addEventListener('pointermove', move, { signal });
  for (const kind of ['pointerdown', 'wheel', 'keydown'])
    element.addEventListener(kind, touch, { signal, passive: true });
  element.addEventListener('pointerleave', leave, { signal });
  return {
    again,
    isHeld: () => performance.now() - touchedMs < HELD_MS,
    stop: () => {
      leave();
      ending.abort();
    },
  };
}
