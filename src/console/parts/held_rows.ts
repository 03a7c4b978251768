import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { store } from '../console.ts';
import { HELD_MS, inHeldOrder, type KeptRow, keptRows, RESTS_MS } from '../state/held_order.ts';

type Held<E extends HTMLElement> = {
  isHeld: boolean;
  /** Reference for the element that a person may point at. */
  list: RefObject<E | null>;
};

/**
 * Tells whether a person points at an element, or moves in it by keys. The state ends when the pointer leaves, or
 * `HELD_MS` after its last movement. With `untilLeft` it lasts while a mouse rests, up to `RESTS_MS`: nothing may move
 * under a button, yet a mouse that was left behind must not keep what is over.
 */
export function useHeld<E extends HTMLElement>(untilLeft = false): Held<E> {
  const list = useRef<E>(null);
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    const element = list.current;
    if (element === null) return;
    const ending = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const release = (): void => {
      clearTimeout(timer);
      setHeld(false);
    };
    const touch = (event: Event): void => {
      clearTimeout(timer);
      const isMouse = event instanceof PointerEvent && event.pointerType === 'mouse';
      timer = setTimeout(release, untilLeft && isMouse ? RESTS_MS : HELD_MS);
      setHeld(true);
    };
    // A finger sends `pointerleave` after each touch and may return, so the order is held for another `HELD_MS`.
    const leave = (event: PointerEvent): void => (event.pointerType === 'touch' ? touch(event) : release());
    for (const kind of ['pointerenter', 'pointermove', 'pointerdown', 'focusin', 'keydown'])
      element.addEventListener(kind, touch, { signal: ending.signal });
    element.addEventListener('pointerleave', leave, { signal: ending.signal });
    element.addEventListener('focusout', () => element.matches(':hover') || release(), { signal: ending.signal });
    return () => {
      ending.abort();
      clearTimeout(timer);
    };
  }, []);
  return { isHeld, list };
}

/**
 * Rows of a sorted list, which keep their places while a person points at the list or moves in it by keys: a row must
 * not move under the finger. Values still change.
 */
export function useHeldRows<T, E extends HTMLElement>(
  sorted: readonly T[],
  keyOf: (row: T) => string,
): Held<E> & { rows: T[] } {
  const held = useHeld<E>();
  const seen = useRef<readonly string[]>([]);
  const rows = held.isHeld ? inHeldOrder(sorted, keyOf, seen.current) : [...sorted];
  seen.current = rows.map(keyOf);
  return { ...held, rows };
}

/**
 * Rows that keep their places while `isHeld`. A row that ends stays, marked, so that no other row takes its place. No
 * row stays when another world is shown: real and simulated rows never stand in one list.
 */
export function useKeptRows<T>(sorted: readonly T[], keyOf: (row: T) => string, isHeld: boolean): KeptRow<T>[] {
  const epoch = store.situation.value?.epoch;
  const before = useRef<{ epoch: typeof epoch; rows: readonly T[] }>({ epoch, rows: [] });
  const rows = keptRows(sorted, keyOf, isHeld && before.current.epoch === epoch ? before.current.rows : []);
  before.current = { epoch, rows: rows.map(({ row }) => row) };
  return rows;
}
