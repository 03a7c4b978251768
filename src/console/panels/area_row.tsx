import { useState } from 'preact/hooks';
import type { Geometry } from '../../model/geometry.ts';
import { ringsOf } from '../map/shapes.ts';
import { show } from '../map/view.ts';
import { ActButton } from '../parts/field.tsx';
import { attempt } from '../state/attempt.ts';
import { words } from '../words/en.ts';

type Props = {
  area: { name: string; geometry: Geometry };
  /** Reason why areas cannot be changed now; null where they can. */
  why: string | null;
  about: string;
  mark: string;
  /** Whether a person must type the area's name to delete it. */
  isNamedToDelete: boolean;
  /** Label of the delete button. */
  deletes: string;
  /** Consequence of the deletion, shown before it; null for none. */
  loses: string | null;
  onEdit: () => void;
  erase: () => Promise<unknown>;
};

/** Row of a zone or region, with buttons to show, edit and delete it. Deletion needs a second press. */
export function AreaRow({ area, why, about, mark, isNamedToDelete, deletes, loses, onEdit, erase }: Props) {
  const [typed, setTyped] = useState<string | null>(null);
  const isNamed = !isNamedToDelete || typed === area.name;
  return (
    <li class="row">
      <span class="first">
        <strong>
          <bdi>{area.name}</bdi>
        </strong>
        <span class="where">{about}</span>
        <span class="level">{mark}</span>
      </span>
      <span class="acts">
        <button type="button" onClick={() => show(ringsOf(area.geometry).flat())}>
          {words.show}
        </button>
        <ActButton whyNot={why} onPress={onEdit}>
          {words.edit}
        </ActButton>
        <ActButton whyNot={why} onPress={() => setTyped(typed === null ? '' : null)}>
          {words.delete}
        </ActButton>
      </span>
      {typed === null ? null : (
        <span class="act-form">
          {loses === null ? null : <span>{loses}</span>}
          {isNamedToDelete ? (
            <label>
              {words.typeName(area.name)}
              <input value={typed} onInput={(event) => setTyped(event.currentTarget.value)} />
            </label>
          ) : null}
          <ActButton whyNot={isNamed ? why : words.nameDiffers} onPress={() => void attempt(erase)}>
            {deletes}
          </ActButton>
        </span>
      )}
    </li>
  );
}
