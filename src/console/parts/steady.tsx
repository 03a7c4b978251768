import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** Keeps the height of a row while a person points at the rows, so that the rows below do not move up. */
export function Steady({ isHeld, children }: { isHeld: boolean; children: ComponentChildren }) {
  const box = useRef<HTMLDivElement>(null);
  const leastPx = useRef(0);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    leastPx.current = isHeld ? Math.max(leastPx.current, element.getBoundingClientRect().height) : 0;
    element.style.minHeight = isHeld ? `${leastPx.current}px` : '';
  });
  return (
    <div class="steady" ref={box}>
      {children}
    </div>
  );
}
