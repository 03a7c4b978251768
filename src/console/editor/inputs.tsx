/** A choice among a few options. */
export function Choice<T extends string>(props: {
  name: string;
  value: T;
  options: readonly T[];
  /** Label of each option; the option itself where there is none. */
  wordOf?: Readonly<Partial<Record<T, string>>>;
  onChange: (value: T) => void;
}) {
  const { name, value, options, wordOf, onChange } = props;
  return (
    <label>
      {name}
      <select value={value} onChange={(event) => onChange(event.currentTarget.value as T)}>
        {options.map((option) => (
          <option key={option} value={option}>
            {wordOf?.[option] ?? option.replace('_', ' ')}
          </option>
        ))}
      </select>
    </label>
  );
}

/** A length or height in metres; empty means none. */
export function Metres(props: { name: string; value: number | null; onChange: (value: number | null) => void }) {
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
