import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { announce } from '../state/attempt.ts';
import { settings } from '../state/settings.ts';
import { words } from '../words/en.ts';
import { usePress } from './press.ts';

type Props = {
  /** Time for which the button must be held, ms. */
  holdMs: number;
  onConfirmed: () => void;
  /** Key that holds the button from anywhere on the page, with Shift; absent where there is none. */
  holdKey?: string;
  /** Sentence for a disabled button; null where it may be used. */
  whyNot: string | null;
  /** Sentence for a press that comes too early, as read at the press; null where it may be held. */
  whyNotYet?: () => string | null;
  class?: string;
  /** Sentence for a press that was too short; without it, the time for which the button must be held. */
  tooShort?: string;
  children: ComponentChildren;
};

const SECOND_PRESS_WITHIN_MS = 3_000;
/** Time for which the hint of a press that was too short is shown, ms. */
const HINT_MS = 2_500;

/** Sentence about how to press a button, or the same in the few letters that the button has room for. */
function hintOf(holdMs: number, isShort = false): string {
  if (settings.peek().confirmBy === 'press_twice') return words.pressAgain;
  return isShort ? words.holdShort(holdMs / 1_000) : words.holdFor(holdMs / 1_000);
}

/**
 * Button that acts only after it was held, so that an accidental touch, for example in a pocket or by snow, does
 * nothing. Space and Enter must be held as well. An early release only shows a hint. People who cannot hold a button
 * choose two presses in the settings.
 */
export function HoldButton(props: Props) {
  const { holdMs, holdKey, onConfirmed, whyNot, whyNotYet, class: name = '', tooShort, children } = props;
  const [isHeld, setHeld] = useState(false);
  const [isHintShown, setHintShown] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const hintEnds = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const firstPressMs = useRef(Number.NEGATIVE_INFINITY);
  const pointer = usePress();
  const disabled = whyNot !== null;

  const release = (): void => {
    if (timer.current !== null) clearTimeout(timer.current);
    timer.current = null;
    setHeld(false);
  };
  const hint = (): void => {
    clearTimeout(hintEnds.current);
    setHintShown(true);
    announce(tooShort ?? hintOf(holdMs));
    hintEnds.current = setTimeout(() => setHintShown(false), HINT_MS);
  };
  /** Ends a press. One that ends too early shows the hint. */
  const letGo = (): void => {
    if (timer.current !== null) hint();
    release();
  };
  useEffect(
    () => () => {
      release();
      clearTimeout(hintEnds.current);
    },
    [],
  );
  useEffect(() => {
    if (disabled) release();
  }, [disabled]);

  const press = (): void => {
    if (disabled || timer.current !== null) return;
    const early = whyNotYet?.() ?? null;
    if (early !== null) {
      announce(early);
      return;
    }
    if (settings.peek().confirmBy === 'press_twice') {
      const isSecond = performance.now() - firstPressMs.current < SECOND_PRESS_WITHIN_MS;
      firstPressMs.current = isSecond ? Number.NEGATIVE_INFINITY : performance.now();
      if (isSecond) onConfirmed();
      else hint();
      return;
    }
    setHeld(true);
    timer.current = setTimeout(() => {
      release();
      onConfirmed();
    }, holdMs);
  };
  useHoldKey(holdKey, press, letGo);
  const isHoldKey = ({ key }: KeyboardEvent): boolean => key === ' ' || key === 'Enter';
  return (
    <button
      type="button"
      class={`hold ${name}`}
      data-held={isHeld}
      aria-disabled={disabled}
      title={whyNot ?? (settings.value.confirmBy === 'press_twice' ? words.pressTwice : words.holdFor(holdMs / 1_000))}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        pointer.begin(event);
        press();
      }}
      onPointerMove={(event) => pointer.isSlidOff(event) && release()}
      onPointerUp={() => {
        pointer.end();
        letGo();
      }}
      onPointerCancel={() => {
        pointer.end();
        release();
      }}
      onBlur={release}
      onContextMenu={(event) => event.preventDefault()}
      onKeyDown={(event) => {
        if (!isHoldKey(event)) return;
        event.preventDefault();
        if (!event.repeat) press();
      }}
      onKeyUp={(event) => isHoldKey(event) && letGo()}
    >
      <span class="hold-fill" data-ms={holdMs} aria-hidden="true" />
      <span class="hold-text">{isHintShown ? hintOf(holdMs, true) : children}</span>
    </button>
  );
}

/** Fields in which a letter is text. */
const textField = 'input:not([type="checkbox"], [type="radio"], [type="range"], [type="number"]), textarea';

/** Holds a button by a key of the page while Shift is down, except while a person types. */
function useHoldKey(holdKey: string | undefined, press: () => void, letGo: () => void): void {
  const now = useRef({ press, letGo });
  now.current = { press, letGo };
  useEffect(() => {
    if (holdKey === undefined) return;
    const ending = new AbortController();
    const { signal } = ending;
    const down = ({ key, shiftKey, repeat, target }: KeyboardEvent): void => {
      const isTyping = target instanceof Element && target.closest(textField);
      if (key === holdKey && shiftKey && !repeat && !isTyping && settings.peek().keysOn) now.current.press();
    };
    const up = ({ key }: KeyboardEvent): void => {
      if (key.toUpperCase() === holdKey || key === 'Shift') now.current.letGo();
    };
    document.addEventListener('keydown', down, { signal });
    document.addEventListener('keyup', up, { signal });
    window.addEventListener('blur', () => now.current.letGo(), { signal });
    return () => ending.abort();
  }, [holdKey]);
}
