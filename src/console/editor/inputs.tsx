import { words } from '../words/en.ts';

/** A choice among a few options. */
export function Choice<T extends string>(props: {
  name: string;
  /** Null where nothing is chosen yet. */
  value: T | null;
  options: readonly T[];
  /** Label of each option; the option itself where there is none. */
  wordOf?: Readonly<Partial<Record<T, string>>>;
  onChange: (value: T) => void;
}) {
  const { name, value, options, wordOf, onChange } = props;
  return (
    <label>
      {name}
      <select value={value ?? ''} onChange={(event) => onChange(event.currentTarget.value as T)}>
        {value === null ? <option value="">{words.choose}</option> : null}
        {options.map((option) => (
          <option key={option} value={option}>
            {wordOf?.[option] ?? option.replace('_', ' ')}
          </option>
        ))}
      </select>
    </label>
  );
}

/** A choice of any number of options, each with a check box. */
export function Checks<T extends string>(props: {
  name: string;
  options: readonly T[];
  chosen: readonly T[];
  /** Label of each option; the option itself where there is none. */
  wordOf?: Readonly<Partial<Record<T, string>>>;
  onChange: (chosen: T[]) => void;
}) {
  const { name, options, chosen, wordOf, onChange } = props;
  const toggled = (option: T): T[] => options.filter((one) => chosen.includes(one) !== (one === option));
  return (
    <fieldset>
      <legend>{name}</legend>
      {options.map((option) => (
        <label key={option} class="check">
          <input type="checkbox" checked={chosen.includes(option)} onChange={() => onChange(toggled(option))} />
          {wordOf?.[option] ?? option}
        </label>
      ))}
    </fieldset>
  );
}

/** Input for a length or a time. The label `name` contains the unit; an empty input gives null. */
export function Quantity(props: { name: string; value: number | null; onChange: (value: number | null) => void }) {
  const { name, value, onChange } = props;
  return (
    <label>
      {name}
      <input
        type="number"
        step="any"
        value={value ?? ''}
        onInput={({ currentTarget: { value: typed } }) => onChange(typed === '' ? null : Number(typed))}
      />
    </label>
  );
}

/** A latitude or longitude; input out of range is ignored. */
export function Degrees(props: { name: string; value: number; most: number; onChange: (value: number) => void }) {
  const { name, value, most, onChange } = props;
  return (
    <input
      type="number"
      step={0.00001}
      min={-most}
      max={most}
      aria-label={name}
      value={value}
      onChange={({ currentTarget }) => {
        const typed = Number(currentTarget.value);
        if (currentTarget.value !== '' && Math.abs(typed) <= most) onChange(typed);
      }}
    />
  );
}

/** Input for a time of day, 00:00 to 23:59. The browser's own field shows a 12-hour clock in some languages. */
export function ClockTime(props: { name: string; value: string; onChange: (value: string) => void }) {
  const { name, value, onChange } = props;
  return (
    <label>
      {name}
      <input
        inputMode="numeric"
        placeholder="HH:MM"
        maxLength={5}
        value={value}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
    </label>
  );
}

/** Pattern of a time of day, 00:00 to 23:59. */
export const clockTime = /^([01]\d|2[0-3]):[0-5]\d$/;
