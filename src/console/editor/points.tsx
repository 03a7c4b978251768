import { useState } from 'preact/hooks';
import { Reason } from '../parts/field.tsx';
import { addPoint, changeDraft, type Draft, isEditable, movePoint, removePoint, type Shape } from '../state/draft.ts';
import { words } from '../words/en.ts';
import { pastedOutline } from './geojson.ts';
import { Choice, Degrees, Quantity } from './inputs.tsx';

type Props = { now: Draft; shapes: readonly Shape[] };

/** Shape and vertices of a draft. A geometry with holes or several parts cannot be edited here; the form says so. */
export function Outline({ now, shapes }: Props) {
  if (now.before !== null && !isEditable(now.before.geometry)) return <p class="reason">{words.manyParts}</p>;
  return <Points now={now} shapes={shapes} />;
}

/** Vertices as a table, so that everything a click on the map does can also be done by keyboard. */
function Points({ now, shapes }: Props) {
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
        <Quantity
          name={now.shape === 'circle' ? words.radius : words.width}
          value={now.sizeM}
          onChange={(sizeM) => changeDraft({ sizeM: sizeM ?? 0 })}
        />
      )}
      <p class="quiet">{now.shape === 'circle' ? words.clickCentre : words.clickPoints}</p>
      <table>
        <tbody>
          {now.points.map((_, index) => (
            <Vertex key={`${index} ${now.points.length}`} now={now} index={index} />
          ))}
        </tbody>
      </table>
      <NewPoint />
      <Paste shapes={shapes} />
    </fieldset>
  );
}

function Vertex({ now, index }: { now: Draft; index: number }) {
  const [lon, lat] = now.points[index] ?? [0, 0];
  return (
    <tr>
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
  );
}

/** Outline from a GeoJSON text, for example of a map program. */
function Paste({ shapes }: { shapes: readonly Shape[] }) {
  const [text, setText] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const take = (): void => {
    const pasted = pastedOutline(text);
    if ('why' in pasted) {
      setFault(words.pasteFaults[pasted.why](pasted.position ?? 0));
      return;
    }
    const { shape, points, sizeM } = pasted;
    setFault(shapes.includes(shape) ? null : words.noCorridor);
    if (!shapes.includes(shape)) return;
    changeDraft({ shape, points, ...(sizeM === null ? {} : { sizeM }) });
    setText('');
  };
  return (
    <details>
      <summary>{words.pasteGeojson}</summary>
      <label>
        GeoJSON
        <textarea rows={4} value={text} onInput={(event) => setText(event.currentTarget.value)} />
      </label>
      <button type="button" onClick={take}>
        {words.takeOutline}
      </button>
      <Reason>{fault}</Reason>
    </details>
  );
}

function NewPoint() {
  const [typed, setTyped] = useState('');
  const add = (): void => {
    const [lat, lon] = typed.split(',').map(Number);
    if (lat === undefined || lon === undefined || !(Math.abs(lat) <= 90) || !(Math.abs(lon) <= 180)) return;
    addPoint([lon, lat]);
    setTyped('');
  };
  return (
    <>
      <label>
        {words.verbField('place')}
        <input value={typed} onInput={(event) => setTyped(event.currentTarget.value)} />
      </label>
      <button type="button" onClick={add}>
        {words.addPoint}
      </button>
    </>
  );
}
