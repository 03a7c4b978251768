import { useState } from 'preact/hooks';
import type { FleetRow, VerbState } from '../../model/fleet.ts';
import type { CommandParams, ParamKind } from '../../model/verb.ts';
import { forbidden, store } from '../console.ts';
import { Choice } from '../parts/field.tsx';
import { HoldButton } from '../parts/hold_button.tsx';
import { pickPlace } from '../state/pick_place.ts';
import { selection } from '../state/select.ts';
import { boundsOf, type Filled, fieldsOf, isNeeded, paramsOf, type VerbField } from '../state/verb_form.ts';
import { words } from '../words/en.ts';

const MOVE_HOLD_MS = 600;

type FormProps = { state: VerbState; row: FleetRow; onOrder: (verb: VerbState['verb'], params: CommandParams) => void };

/**
 * The fields of a verb, with the limits of its vehicle. A person types the place, or picks it on the map. A
 * `HoldButton` sends the command.
 */
export function VerbForm({ state, row, onOrder }: FormProps) {
  const { verb, params: kinds } = state;
  const selectedId = selection.value?.kind === 'track' ? selection.value.id : '';
  const [kind, setKind] = useState<ParamKind>(kinds[0] ?? 'none');
  const [typed, setTyped] = useState<Filled>(() => startOf(row));
  const filled = { ...typed, track: selectedId };
  const outcome = paramsOf(state, kind, filled);
  const missing = 'missing' in outcome ? words.fieldMissing(outcome.missing, boundsOf(outcome.missing, state)) : null;
  const set = (field: VerbField, text: string): void => setTyped((before) => ({ ...before, [field]: text }));
  return (
    <div class="act-form">
      {kinds.length < 2 ? null : (
        <Choice
          name={`kind-${verb}`}
          legend={words.about}
          options={kinds}
          chosen={kind}
          onChosen={setKind}
          wordsOf={words.paramKind}
        />
      )}
      {fieldsOf(verb, kind).map((field) => (
        <Field key={field} field={field} state={state} row={row} text={filled[field] ?? ''} onText={set} />
      ))}
      <HoldButton
        holdMs={MOVE_HOLD_MS}
        whyNot={forbidden('move') ?? missing}
        onConfirmed={() => 'params' in outcome && onOrder(verb, outcome.params)}
      >
        {words.verb(verb)}
      </HoldButton>
    </div>
  );
}

/** Initial values of a form: the vehicle's position, 30 m up. */
function startOf({ position }: FleetRow): Filled {
  const place = position ? `${position.lat.toFixed(6)}, ${position.lon.toFixed(6)}` : '';
  return { place, height_m: '30', direction: 'clockwise' };
}

type FieldProps = {
  field: VerbField;
  state: VerbState;
  row: FleetRow;
  text: string;
  onText: (field: VerbField, text: string) => void;
};

function Field({ field, state, row, text, onText }: FieldProps) {
  const put = ({ currentTarget }: { currentTarget: { value: string } }) => onText(field, currentTarget.value);
  const name = words.verbField(field) + (isNeeded(state.verb, field) ? '' : ` (${words.optional})`);
  if (field === 'track')
    return (
      <p>
        {text === '' ? words.selectTrackFirst : words.aboutTrack(store.tracks.get(text)?.number ?? words.aClosedTrack)}
      </p>
    );
  const options = optionsOf(field, row);
  if (options)
    return (
      <label>
        {name}
        <select value={text} onChange={put}>
          <option value="" />
          {options.map(([value, shown]) => (
            <option key={value} value={value}>
              {shown}
            </option>
          ))}
        </select>
      </label>
    );
  const bounds = boundsOf(field, state);
  return (
    <label>
      {name}
      <input
        value={text}
        onInput={put}
        {...(bounds === null ? {} : { type: 'number', min: bounds.min, max: bounds.max, step: 'any' })}
      />
      {field === 'place' ? (
        <button type="button" onClick={() => pickPlace((place) => onText('place', place))}>
          {words.pickOnMap}
        </button>
      ) : null}
    </label>
  );
}

function optionsOf(field: VerbField, row: FleetRow): [value: string, shown: string][] | null {
  if (field === 'zone') return store.zones.list().map(({ id, name }) => [id, name]);
  if (field === 'asset')
    return store.assets.list().flatMap(({ id, name }) => (id === row.asset_id ? [] : [[id, name] as [string, string]]));
  if (field === 'direction')
    return [
      ['clockwise', words.clockwise],
      ['counter_clockwise', words.counterClockwise],
    ];
  return null;
}
