import { useEffect, useRef, useState } from 'preact/hooks';

/** Time after a row came or moved during which it takes no press, ms: a person may mean the row that was there. */
const MOVED_MS = 700;

/**
 * Tells whether the row has just come, or moved to another place of the list. `place` is its index, or names the rows
 * above it. Each call of the result looks at the clock.
 */
export function useMoved(place: number | string): () => boolean {
  const last = useRef({ place, atMs: performance.now() });
  if (last.current.place !== place) last.current = { place, atMs: performance.now() };
  return () => performance.now() - last.current.atMs < MOVED_MS;
}

/** Time during which a change of what a button would do blocks it, ms: a person may be pressing the button already. */
const CHANGED_MS = 2_000;

/** Whether `value` changed in the last 2 s, counted from the time at which the page first showed the change. */
export function useNewlyChanged(value: string | null): boolean {
  const shown = useRef(value);
  const [isNew, setNew] = useState(false);
  useEffect(() => {
    if (shown.current === value) return;
    shown.current = value;
    setNew(true);
    const timer = setTimeout(() => setNew(false), CHANGED_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return isNew || shown.current !== value;
}
