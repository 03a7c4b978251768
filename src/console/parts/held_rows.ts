import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { HELD_MS, inHeldOrder } from '../state/held_order.ts';

type HeldRows<T, E extends HTMLElement> = {
  rows: T[];
  isHeld: boolean;
  /** Reference for the element that has the rows. */
  list: RefObject<E | null>;
};

/**
 * Rows of a sorted list, which keep their places while a person points at the list or moves in it by keys: a row must
 * not move under the finger. Values still change.
 */
export function useHeldRows<T, E extends HTMLElement>(sorted: readonly T[], keyOf: (row: T) => string): HeldRows<T, E> {
  const list = useRef<E>(null);
  const [isHeld, setHeld] = useState(false);
  const seen = useRef<readonly string[]>([]);
  const rows = isHeld ? inHeldOrder(sorted, keyOf, seen.current) : [...sorted];
  seen.current = rows.map(keyOf);
  useEffect(() => {
    const element = list.current;
    if (element === null) return;
    const ending = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const release = (): void => {
      clearTimeout(timer);
      setHeld(false);
    };
    const touch = (): void => {
      clearTimeout(timer);
      timer = setTimeout(release, HELD_MS);
      setHeld(true);
    };
    for (const kind of ['pointerenter', 'pointermove', 'pointerdown', 'focusin', 'keydown'])
      element.addEventListener(kind, touch, { signal: ending.signal });
    for (const kind of ['pointerleave', 'focusout']) element.addEventListener(kind, release, { signal: ending.signal });
    return () => {
      ending.abort();
      clearTimeout(timer);
    };
  }, []);
  return { rows, isHeld, list };
}
