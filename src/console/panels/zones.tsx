import { useState } from 'preact/hooks';
import type { Zone, ZoneSpec } from '../../model/zone.ts';
import { calls } from '../api/calls.ts';
import { forbidden, store } from '../console.ts';
import { ringsOf } from '../map/shapes.ts';
import { show } from '../map/view.ts';
import { ActButton, Reason } from '../parts/field.tsx';
import { attempt, refusal } from '../state/attempt.ts';
import {
  addPoint,
  changeDraft,
  type Draft,
  draft,
  editZone,
  geometryOf,
  isEditable,
  leastPoints,
  markCrossing,
  movePoint,
  newDraft,
  removePoint,
  type Shape,
  undo,
} from '../state/draft.ts';
import { words } from '../words/en.ts';

const kinds: readonly Zone['kind'][] = ['protected', 'warning', 'alert', 'keep_out', 'keep_in', 'ignore'];
const shapes: readonly Shape[] = ['circle', 'polygon', 'corridor'];
const datums: readonly Zone['datum'][] = ['agl', 'msl', 'hae'];
const levels: readonly Zone['alarm']['level'][] = ['info', 'notice', 'warning', 'critical'];

/** Zones as a list, and the editor of one. */
export function ZonesPanel() {
  const why = forbidden('write');
  if (draft.value !== null) return <ZoneEditor draft={draft.value} />;
  const zones = store.zones.list().sort((a, b) => a.name.localeCompare(b.name));
  return (
    <section aria-label={words.zones}>
      <div class="acts">
        <ActButton whyNot={why} onPress={newDraft}>
          {words.newZone}
        </ActButton>
      </div>
      <Reason>{why}</Reason>
      {zones.length === 0 ? <p class="empty">{words.noZones}</p> : null}
      <ul class="rows">
        {zones.map((zone) => (
          <ZoneRow key={zone.id} zone={zone} why={why} />
        ))}
      </ul>
    </section>
  );
}

function ZoneRow({ zone, why }: { zone: Zone; why: string | null }) {
  const [typed, setTyped] = useState<string | null>(null);
  // A zone that is protected is deleted only by a person that writes its name.
  const isNamed = zone.kind !== 'protected' || typed === zone.name;
  return (
    <li class="row">
      <span class="first">
        <strong>
          <bdi>{zone.name}</bdi>
        </strong>
        <span class="where">{zone.kind.replace('_', ' ')}</span>
        <span class="level">{zone.enabled ? '' : words.off}</span>
      </span>
      <span class="acts">
        <button type="button" onClick={() => show(ringsOf(zone.geometry).flat())}>
          {words.show}
        </button>
        <ActButton whyNot={why} onPress={() => editZone(zone)}>
          {words.edit}
        </ActButton>
        <ActButton whyNot={why} onPress={() => setTyped(typed === null ? '' : null)}>
          {words.delete}
        </ActButton>
      </span>
      {typed === null ? null : (
        <span class="act-form">
          {zone.kind === 'protected' ? (
            <label>
              {words.typeName(zone.name)}
              <input value={typed} onInput={(event) => setTyped(event.currentTarget.value)} />
            </label>
          ) : null}
          <ActButton
            whyNot={isNamed ? why : words.nameDiffers}
            onPress={() => void attempt(() => calls.deleteZone(zone.id))}
          >
            {words.deleteForGood}
          </ActButton>
        </span>
      )}
    </li>
  );
}

/** The document of a draft; fields that the editor does not show stay as they were. */
function specOf(
  { before, name, kind, floorM, ceilingM, datum, level, enabled }: Draft,
  geometry: Zone['geometry'],
): ZoneSpec {
  const alarm = { on: ['enter'], dwell_s: 30, eta_s: 60, hysteresis_m: 20, ...before?.alarm, level } as Zone['alarm'];
  const { priority = 5, applies_to = { affiliations: [], cooperative: [] }, schedule = null } = before ?? {};
  const common = { name, kind, geometry, floor_m: floorM, ceiling_m: ceilingM, datum, enabled };
  return { ...common, alarm, priority, applies_to, schedule };
}

async function save(now: Draft, geometry: Zone['geometry']): Promise<void> {
  const spec = specOf(now, geometry);
  const saved = await attempt(() =>
    now.before === null
      ? calls.createZone(spec)
      : calls.updateZone(now.before.id, { ...spec, version: now.before.version }),
  );
  // What was drawn stays where the box refuses it.
  if (saved !== null) draft.value = null;
  else markCrossing(refusal.peek() ?? '');
}

function whyNotSaved(now: Draft): string | null {
  if (now.name.trim() === '') return words.nameMissing;
  if (geometryOf(now) === null) return words.pointsMissing(leastPoints[now.shape]);
  if (now.floorM !== null && now.ceilingM !== null && now.floorM >= now.ceilingM) return words.floorAboveCeiling;
  return null;
}

function ZoneEditor({ draft: now }: { draft: Draft }) {
  const geometry = geometryOf(now);
  const why = forbidden('write') ?? whyNotSaved(now);
  return (
    <form class="act-form" aria-label={words.zones} onSubmit={(event) => event.preventDefault()}>
      <label>
        {words.name}
        <input maxLength={120} value={now.name} onInput={(event) => changeDraft({ name: event.currentTarget.value })} />
      </label>
      <Choice name={words.kind} value={now.kind} options={kinds} onChange={(kind) => changeDraft({ kind })} />
      {now.before && !isEditable(now.before.geometry) ? <p class="reason">{words.manyParts}</p> : <Points now={now} />}
      <Metres name={words.floor} value={now.floorM} onChange={(floorM) => changeDraft({ floorM })} />
      <Metres name={words.ceiling} value={now.ceilingM} onChange={(ceilingM) => changeDraft({ ceilingM })} />
      <Choice name={words.datum} value={now.datum} options={datums} onChange={(datum) => changeDraft({ datum })} />
      <Choice name={words.alarmLevel} value={now.level} options={levels} onChange={(level) => changeDraft({ level })} />
      <label class="check">
        <input
          type="checkbox"
          checked={now.enabled}
          onChange={(event) => changeDraft({ enabled: event.currentTarget.checked })}
        />
        {words.enabled}
      </label>
      <div class="acts">
        <ActButton whyNot={why} onPress={() => geometry && void save(now, geometry)}>
          {words.save}
        </ActButton>
        <button type="button" onClick={undo}>
          {words.undo}
        </button>
        <button
          type="button"
          onClick={() => {
            draft.value = null;
          }}
        >
          {words.discard}
        </button>
      </div>
      <Reason>{why}</Reason>
    </form>
  );
}

function Choice<T extends string>(props: {
  name: string;
  value: T;
  options: readonly T[];
  onChange: (value: T) => void;
}) {
  const { name, value, options, onChange } = props;
  return (
    <label>
      {name}
      <select value={value} onChange={(event) => onChange(event.currentTarget.value as T)}>
        {options.map((option) => (
          <option key={option} value={option}>
            {option.replace('_', ' ')}
          </option>
        ))}
      </select>
    </label>
  );
}

/** A height in metres; empty means none. */
function Metres({
  name,
  value,
  onChange,
}: {
  name: string;
  value: number | null;
  onChange: (value: number | null) => void;
}) {
  return (
    <label>
      {name}
      <input
        type="number"
        value={value ?? ''}
        onInput={({ currentTarget: { value: typed } }) => onChange(typed === '' ? null : Number(typed))}
      />
    </label>
  );
}

/** Vertices as a table: each drag on the map has this second way. */
function Points({ now }: { now: Draft }) {
  const [typed, setTyped] = useState('');
  const add = (): void => {
    const [lat, lon] = typed.split(',').map(Number);
    if (lat === undefined || lon === undefined || !(Math.abs(lat) <= 90) || !(Math.abs(lon) <= 180)) return;
    addPoint([lon, lat]);
    setTyped('');
  };
  return (
    <fieldset>
      <legend>{words.shape}</legend>
      <Choice
        name={words.shape}
        value={now.shape}
        options={shapes}
        onChange={(shape) => changeDraft({ shape, points: shape === 'circle' ? now.points.slice(0, 1) : now.points })}
      />
      {now.shape === 'polygon' ? null : (
        <Metres
          name={now.shape === 'circle' ? words.radius : words.width}
          value={now.sizeM}
          onChange={(sizeM) => changeDraft({ sizeM: sizeM ?? 0 })}
        />
      )}
      <p class="quiet">{now.shape === 'circle' ? words.clickCentre : words.clickPoints}</p>
      <table>
        <tbody>
          {now.points.map(([lon, lat], index) => (
            <tr key={`${index} ${now.points.length}`}>
              <td>
                {index + 1}
                {now.crossing.includes(index) ? <strong class="crossing"> {words.crosses}</strong> : null}
              </td>
              <td>
                <Degrees
                  name={words.latitude(index + 1)}
                  value={lat}
                  most={90}
                  onChange={(value) => movePoint(index, [lon, value])}
                />
              </td>
              <td>
                <Degrees
                  name={words.longitude(index + 1)}
                  value={lon}
                  most={180}
                  onChange={(value) => movePoint(index, [value, lat])}
                />
              </td>
              <td>
                <button type="button" aria-label={words.removePoint(index + 1)} onClick={() => removePoint(index)}>
                  ×
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <label>
        {words.verbField('place')}
        <input value={typed} onInput={(event) => setTyped(event.currentTarget.value)} />
      </label>
      <button type="button" onClick={add}>
        {words.addPoint}
      </button>
    </fieldset>
  );
}

function Degrees(props: { name: string; value: number; most: number; onChange: (value: number) => void }) {
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
