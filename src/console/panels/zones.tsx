import type { Zone } from '../../model/zone.ts';
import { calls } from '../api/calls.ts';
import { forbidden, store } from '../console.ts';
import { ActButton, Reason } from '../parts/field.tsx';
import { draft, editZone, newRegion, newZone } from '../state/draft.ts';
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

function ZoneRow({ zone, why }: { zone: Zone; why: string | null }) {
  return (
    <AreaRow
      area={zone}
      why={why}
      about={zone.kind.replace('_', ' ')}
      mark={zone.enabled ? '' : words.off}
      isNamedToDelete={zone.kind === 'protected'}
      deletes={words.deleteForGood}
      loses={null}
      onEdit={() => editZone(zone)}
      erase={() => calls.deleteZone(zone.id)}
    />
  );
}
