import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { settings } from '../state/settings.ts';

type Props = {
  /** Time for which the button must be held, ms. */
  holdMs: number;
  onConfirmed: () => void;
  /** Sentence for a disabled button; null where it may be used. */
  whyNot: string | null;
  class?: string;
  children: ComponentChildren;
};

const SECOND_PRESS_WITHIN_MS = 3_000;

/**
 * Button that acts only after it was held, so that an accidental touch, for example in a pocket or by snow, does
 * nothing. Space and Enter must be held as well. Releasing it early does nothing. People who cannot hold a button
 * choose two presses in the settings.
 */
export function HoldButton({ holdMs, onConfirmed, whyNot, class: name = '', children }: Props) {
  const [isHeld, setHeld] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const firstPressMs = useRef(Number.NEGATIVE_INFINITY);
  const disabled = whyNot !== null;

  const release = (): void => {
    if (timer.current !== null) clearTimeout(timer.current);
    timer.current = null;
    setHeld(false);
  };
  useEffect(() => release, []);
  useEffect(() => {
    if (disabled) release();
  }, [disabled]);

  const press = (): void => {
    if (disabled || timer.current !== null) return;
    if (settings.peek().confirmBy === 'press_twice') {
      const isSecond = performance.now() - firstPressMs.current < SECOND_PRESS_WITHIN_MS;
      firstPressMs.current = isSecond ? Number.NEGATIVE_INFINITY : performance.now();
      if (isSecond) onConfirmed();
      return;
    }
    setHeld(true);
    timer.current = setTimeout(() => {
      release();
      onConfirmed();
    }, holdMs);
  };
  const isHoldKey = ({ key }: KeyboardEvent): boolean => key === ' ' || key === 'Enter';
  return (
    <button
      type="button"
      class={`hold ${name}`}
      data-held={isHeld}
      aria-disabled={disabled}
      title={whyNot ?? `Hold for ${holdMs / 1_000} s`}
      onPointerDown={(event) => event.button === 0 && press()}
      onPointerUp={release}
      onPointerLeave={release}
      onPointerCancel={release}
      onBlur={release}
      onContextMenu={(event) => event.preventDefault()}
      onKeyDown={(event) => {
        if (!isHoldKey(event)) return;
        event.preventDefault();
        if (!event.repeat) press();
      }}
      onKeyUp={(event) => isHoldKey(event) && release()}
    >
      <span class="hold-fill" data-ms={holdMs} aria-hidden="true" />
      <span class="hold-text">{children}</span>
    </button>
  );
}
