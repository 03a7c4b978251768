import type { Zone, ZoneSpec } from '../../model/zone.ts';
import { calls } from '../api/calls.ts';
import { store } from '../console.ts';
import { changeDraft, geometryOf, type Shape, type ZoneDraft } from '../state/draft.ts';
import { words } from '../words/en.ts';
import { AreaForm } from './area_form.tsx';
import { Choice, Quantity } from './inputs.tsx';
import { Outline } from './points.tsx';
import { Profile } from './profile.tsx';
import { faultOfRules, ZoneRules } from './zone_rules.tsx';

const kinds: readonly Zone['kind'][] = ['protected', 'warning', 'alert', 'keep_out', 'keep_in', 'ignore'];
const shapes: readonly Shape[] = ['circle', 'polygon', 'corridor'];
const datums: readonly Zone['datum'][] = ['agl', 'msl', 'hae'];
const levels: readonly Zone['alarm']['level'][] = ['info', 'notice', 'warning', 'critical'];

/** The document of a draft. The editor does not show the priority: it stays as it was, and is 5 for a new zone. */
function specOf(now: ZoneDraft, kind: Zone['kind'], geometry: Zone['geometry']): ZoneSpec {
  const { before, name, floorM, ceilingM, datum, alarm, appliesTo: applies_to, schedule, enabled } = now;
  const priority = before?.priority ?? 5;
  const common = { name, kind, geometry, floor_m: floorM, ceiling_m: ceilingM, datum, enabled };
  return { ...common, alarm, priority, applies_to, schedule };
}

async function write(now: ZoneDraft): Promise<unknown> {
  const geometry = geometryOf(now);
  if (geometry === null || now.kind === null) return null;
  const spec = specOf(now, now.kind, geometry);
  const saved =
    now.before === null
      ? await calls.createZone(spec)
      : await calls.updateZone(now.before.id, { ...spec, version: now.before.version });
  // The stream brings the saved zone a moment later. Until then the list would open the zone in its old state.
  store.zones.byId.set(saved.id, saved);
  store.zones.revision.value++;
  return saved;
}

const change = changeDraft<ZoneDraft>;

export function ZoneEditor({ now }: { now: ZoneDraft }) {
  const { kind } = now;
  const isUpsideDown = now.floorM !== null && now.ceilingM !== null && now.floorM >= now.ceilingM;
  return (
    <AreaForm
      title={words.zones}
      now={now}
      fault={kind === null ? words.kindMissing : isUpsideDown ? words.floorAboveCeiling : faultOfRules(now)}
      write={() => write(now)}
    >
      <Choice name={words.kind} value={kind} options={kinds} onChange={(next) => change({ kind: next })} />
      {kind === null ? null : <p class="quiet">{words.kindHints[kind]}</p>}
      <Outline now={now} shapes={shapes} />
      <Quantity name={words.floor} value={now.floorM} onChange={(floorM) => change({ floorM })} />
      <Quantity name={words.ceiling} value={now.ceilingM} onChange={(ceilingM) => change({ ceilingM })} />
      <Choice
        name={words.datum}
        value={now.datum}
        options={datums}
        wordOf={words.datums}
        onChange={(datum) => change({ datum })}
      />
      <Profile now={now} />
      <Choice
        name={words.alarmLevel}
        value={now.alarm.level}
        options={levels}
        onChange={(level) => change({ alarm: { ...now.alarm, level } })}
      />
      <ZoneRules now={now} />
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
