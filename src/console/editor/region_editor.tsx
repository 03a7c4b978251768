import type { Region, RegionSpec } from '../../model/region.ts';
import { calls } from '../api/calls.ts';
import { camera } from '../map/view.ts';
import { changeDraft, geometryOf, type RegionDraft, type Shape } from '../state/draft.ts';
import { words } from '../words/en.ts';
import { AreaForm } from './area_form.tsx';
import { Choice, Quantity } from './inputs.tsx';
import { Outline } from './points.tsx';

type Posture = NonNullable<Region['posture']>;

const shapes: readonly Shape[] = ['polygon', 'circle'];
const postures: readonly ('' | Posture)[] = ['', 'normal', 'elevated', 'high', 'severe'];
const timeZones = ['UTC', ...Intl.supportedValuesOf('timeZone')];

const change = changeDraft<RegionDraft>;

async function write(now: RegionDraft): Promise<unknown> {
  const geometry = geometryOf(now);
  if (geometry === null) return null;
  const { name, groundM, tz, posture, view, before } = now;
  const spec: RegionSpec = { name, geometry, ground_alt_hae_m: groundM, tz, posture, default_view: view };
  if (before === null) return calls.createRegion(spec);
  return calls.updateRegion(before.id, { ...spec, version: before.version });
}

/** Editor of one region. The daemon checks the time zone, because browsers know different names. */
export function RegionEditor({ now }: { now: RegionDraft }) {
  return (
    <AreaForm
      title={words.regions}
      now={now}
      fault={now.tz.trim() === '' ? words.timeZoneMissing : null}
      write={() => write(now)}
    >
      <Outline now={now} shapes={shapes} />
      <Quantity name={words.ground} value={now.groundM} onChange={(groundM) => change({ groundM })} />
      <label>
        {words.timeZone}
        <input list="time-zones" value={now.tz} onInput={(event) => change({ tz: event.currentTarget.value })} />
      </label>
      <datalist id="time-zones">
        {timeZones.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <Choice
        name={words.posture}
        value={now.posture ?? ''}
        options={postures}
        wordOf={{ '': words.postureOfWorkspace }}
        onChange={(posture) => change({ posture: posture === '' ? null : posture })}
      />
      <FirstView now={now} />
    </AreaForm>
  );
}

/** Choice of a region's default view: the whole region, or the section of the map that is shown now. */
function FirstView({ now: { view } }: { now: RegionDraft }) {
  const take = (): void => {
    const shown = camera.peek();
    if (shown === null) return;
    const zoom = Math.round(shown.zoom * 100) / 100;
    change({ view: { lat: round(shown.lat), lon: round(shown.lon), zoom, bearing_deg: 0, pitch_deg: 0 } });
  };
  return (
    <fieldset>
      <legend>{words.firstView}</legend>
      <p class="quiet">{view === null ? words.wholeRegion : words.viewOf(view)}</p>
      <button type="button" onClick={take}>
        {words.takeView}
      </button>
      {view === null ? null : (
        <button type="button" onClick={() => change({ view: null })}>
          {words.showWholeRegion}
        </button>
      )}
    </fieldset>
  );
}

/** Coordinates rounded to 1e-6 degrees, 0.1 m. */
const round = (deg: number): number => Math.round(deg * 1e6) / 1e6;
