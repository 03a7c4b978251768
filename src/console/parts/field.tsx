import type { ComponentChildren } from 'preact';
import { announce } from '../state/attempt.ts';
import { usePress } from './press.ts';

/** A read-only list of names and values. */
export function Facts({ children }: { children: ComponentChildren }) {
  return <dl class="facts">{children}</dl>;
}

/** One name and value; `hint` explains a name that not every officer knows. */
export function Fact({ name, hint, children }: { name: string; hint?: string; children: ComponentChildren }) {
  return (
    <div title={hint}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

type ChoiceProps<T extends string | number> = {
  /** Name of the group in its form. */
  name: string;
  legend: string;
  options: readonly T[];
  chosen: T | null;
  onChosen: (option: T) => void;
  /** Shown text of an option; without it, the option itself. */
  wordsOf?: (option: T) => ComponentChildren;
  children?: ComponentChildren;
};

/** One choice of several, as radio buttons; `children` follow them. */
export function Choice<T extends string | number>(props: ChoiceProps<T>) {
  const { name, legend, options, chosen, onChosen, wordsOf, children } = props;
  return (
    <fieldset>
      <legend>{legend}</legend>
      {options.map((option) => (
        <label key={option}>
          <input type="radio" name={name} checked={option === chosen} onChange={() => onChosen(option)} />
          {wordsOf?.(option) ?? option}
        </label>
      ))}
      {children}
    </fieldset>
  );
}

/** A button that acts on one press. A sentence in `whyNot` disables it; a press then announces the sentence. */
export function ActButton(props: {
  whyNot: string | null;
  onPress: () => void;
  children: ComponentChildren;
  class?: string;
}) {
  const { whyNot, onPress, children, class: name = '' } = props;
  const press = usePress();
  const act = (event: MouseEvent): void => {
    // A key, and a program that helps a person, press without a pointer: such a click has no detail.
    if (event.detail > 0 && press.isSlidOff(event)) return;
    if (whyNot === null) onPress();
    else announce(whyNot);
  };
  return (
    <button
      type="button"
      class={name}
      aria-disabled={whyNot !== null}
      title={whyNot ?? ''}
      onPointerDown={press.begin}
      onClick={act}
    >
      {children}
    </button>
  );
}

/** Reason why a group of controls is disabled, as text: a tooltip is not visible on a touch screen. */
export function Reason({ children }: { children: string | null }) {
  return children === null ? null : <p class="reason">{children}</p>;
}

/** The button that sends a form. A sentence in `missing` says what must be given first. */
export function SubmitButton({ missing, children }: { missing: string | null; children: ComponentChildren }) {
  return (
    <>
      <button type="submit" aria-disabled={missing !== null}>
        {children}
      </button>
      {/* Below the button and always there: the button must not move under the finger. */}
      <p class={missing === null ? 'room' : 'reason'}>{missing}</p>
    </>
  );
}
