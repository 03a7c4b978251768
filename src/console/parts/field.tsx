import type { ComponentChildren } from 'preact';

/** Facts as pairs of a name and a value, for reading. */
export function Facts({ children }: { children: ComponentChildren }) {
  return <dl class="facts">{children}</dl>;
}

export function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** A button for an act of one press. A sentence in `whyNot` disables it and says why. */
export function ActButton(props: {
  whyNot: string | null;
  onPress: () => void;
  children: ComponentChildren;
  class?: string;
}) {
  const { whyNot, onPress, children, class: name = '' } = props;
  return (
    <button
      type="button"
      class={name}
      aria-disabled={whyNot !== null}
      title={whyNot ?? ''}
      onClick={() => whyNot === null && onPress()}
    >
      {children}
    </button>
  );
}

/** Why controls are off, once for a group of them: a title alone is not seen on a touch screen. */
export function Reason({ children }: { children: string | null }) {
  return children === null ? null : <p class="reason">{children}</p>;
}
