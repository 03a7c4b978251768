import type { Region } from '../../model/region.ts';
import { calls } from '../api/calls.ts';
import { store } from '../console.ts';
import { editRegion } from '../state/draft.ts';
import { words } from '../words/en.ts';
import { AreaRow } from './area_row.tsx';

/** The list of regions, with ground height and time zone. */
export function RegionList({ why }: { why: string | null }) {
  const regions = store.regions.list().sort((a, b) => a.name.localeCompare(b.name));
  return (
    <section aria-label={words.regions}>
      <h3>{words.regions}</h3>
      {regions.length === 0 ? <p class="empty">{words.noRegions}</p> : null}
      <ul class="rows">
        {regions.map((region) => (
          <RegionRow key={region.id} region={region} why={why} />
        ))}
      </ul>
    </section>
  );
}

function RegionRow({ region, why }: { region: Region; why: string | null }) {
  const { ground_alt_hae_m: groundM, tz, posture } = region;
  return (
    <AreaRow
      area={region}
      why={why}
      about={words.regionFacts(groundM, tz, posture)}
      mark=""
      isNamedToDelete={false}
      deletes={words.deleteRegion}
      loses={groundM === null ? null : words.groundIsLost}
      onEdit={() => editRegion(region)}
      erase={() => calls.deleteRegion(region.id)}
    />
  );
}
