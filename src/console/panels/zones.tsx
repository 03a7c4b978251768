import type { Zone } from '../../model/zone.ts';
import { calls } from '../api/calls.ts';
import { clock, forbidden, store } from '../console.ts';
import { ActButton, Reason } from '../parts/field.tsx';
import { draft, editZone, newRegion, newZone } from '../state/draft.ts';
import { isWithinHours } from '../state/hours.ts';
import { words } from '../words/en.ts';
import { AreaRow } from './area_row.tsx';
import { DraftPanel } from './draft_panel.tsx';
import { RegionList } from './regions.tsx';

/** Zones and regions as lists, and the editor of one of them. */
export function ZonesPanel() {
  const why = forbidden('write');
  if (draft.value !== null) return <DraftPanel draft={draft.value} />;
  const zones = store.zones.list().sort((a, b) => a.name.localeCompare(b.name));
  return (
    <>
      <section aria-label={words.zones}>
        <div class="acts">
          <ActButton whyNot={why} onPress={newZone}>
            {words.newZone}
          </ActButton>
          <ActButton whyNot={why} onPress={() => newRegion(Intl.DateTimeFormat().resolvedOptions().timeZone)}>
            {words.newRegion}
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
      <RegionList why={why} />
    </>
  );
}

/** Kind, heights and hours of a zone. */
function aboutOf({ kind, floor_m: floor, ceiling_m: ceiling, datum, schedule }: Zone): string {
  const heights = words.heights(floor, ceiling, datum);
  const hours = schedule === null ? '' : words.hoursOf(schedule);
  return [kind.replace('_', ' '), heights, hours].filter((text) => text !== '').join(' · ');
}

/** Word for a zone that is off or outside its hours; empty for an active zone. */
function markOf({ enabled, schedule }: Zone): string {
  void clock.second.value;
  if (!enabled) return words.off;
  return isWithinHours(schedule, clock.nowMs() ?? 0) ? '' : words.nowInactive;
}

function ZoneRow({ zone, why }: { zone: Zone; why: string | null }) {
  return (
    <AreaRow
      area={zone}
      why={why}
      about={aboutOf(zone)}
      mark={markOf(zone)}
      isNamedToDelete={zone.kind === 'protected'}
      deletes={words.deleteForGood}
      loses={null}
      onEdit={() => editZone(zone)}
      erase={() => calls.deleteZone(zone.id)}
    />
  );
}
