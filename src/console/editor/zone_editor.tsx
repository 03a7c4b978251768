import type { Zone, ZoneSpec } from '../../model/zone.ts';
import { calls } from '../api/calls.ts';
import { changeDraft, geometryOf, type Shape, type ZoneDraft } from '../state/draft.ts';
import { words } from '../words/en.ts';
import { AreaForm } from './area_form.tsx';
import { Choice, Metres } from './inputs.tsx';
import { Outline } from './points.tsx';
import { Profile } from './profile.tsx';

const kinds: readonly Zone['kind'][] = ['protected', 'warning', 'alert', 'keep_out', 'keep_in', 'ignore'];
const shapes: readonly Shape[] = ['circle', 'polygon', 'corridor'];
const datums: readonly Zone['datum'][] = ['agl', 'msl', 'hae'];
const levels: readonly Zone['alarm']['level'][] = ['info', 'notice', 'warning', 'critical'];

/** The document of a draft; fields that the editor does not show keep their values. */
function specOf(now: ZoneDraft, geometry: Zone['geometry']): ZoneSpec {
  const { before, name, kind, floorM, ceilingM, datum, level, enabled } = now;
  const alarm = { on: ['enter'], dwell_s: 30, eta_s: 60, hysteresis_m: 20, ...before?.alarm, level } as Zone['alarm'];
  const { priority = 5, applies_to = { affiliations: [], cooperative: [] }, schedule = null } = before ?? {};
  const common = { name, kind, geometry, floor_m: floorM, ceiling_m: ceilingM, datum, enabled };
  return { ...common, alarm, priority, applies_to, schedule };
}

async function write(now: ZoneDraft): Promise<unknown> {
  const geometry = geometryOf(now);
  if (geometry === null) return null;
  const spec = specOf(now, geometry);
  if (now.before === null) return calls.createZone(spec);
  return calls.updateZone(now.before.id, { ...spec, version: now.before.version });
}

const change = changeDraft<ZoneDraft>;

/** Editor of one zone. */
export function ZoneEditor({ now }: { now: ZoneDraft }) {
  const isUpsideDown = now.floorM !== null && now.ceilingM !== null && now.floorM >= now.ceilingM;
  return (
    <AreaForm
      title={words.zones}
      now={now}
      fault={isUpsideDown ? words.floorAboveCeiling : null}
      write={() => write(now)}
    >
      <Choice name={words.kind} value={now.kind} options={kinds} onChange={(kind) => change({ kind })} />
      <Outline now={now} shapes={shapes} />
      <Metres name={words.floor} value={now.floorM} onChange={(floorM) => change({ floorM })} />
      <Metres name={words.ceiling} value={now.ceilingM} onChange={(ceilingM) => change({ ceilingM })} />
      <Choice
        name={words.datum}
        value={now.datum}
        options={datums}
        wordOf={words.datums}
        onChange={(datum) => change({ datum })}
      />
      <Profile now={now} />
      <Choice name={words.alarmLevel} value={now.level} options={levels} onChange={(level) => change({ level })} />
      <label class="check">
        <input
          type="checkbox"
          checked={now.enabled}
          onChange={(event) => change({ enabled: event.currentTarget.checked })}
        />
        {words.enabled}
      </label>
    </AreaForm>
  );
}
