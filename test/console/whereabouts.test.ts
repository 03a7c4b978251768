import t from 'tap';
import { levelWords } from '../../src/console/words/levels.ts';
import type { Threat } from '../../src/model/threat.ts';

const inside = { kind: 'warning', distance_m: 0, inside: true, depth_m: 40, eta_s: null, eta_sigma_s: null } as const;
const threat = (more: Partial<Threat>): Threat =>
  ({ nearest_zone: { id: 'Surroundings', ...inside }, nearest_protected: null, cpa: null, ...more }) as Threat;
const text = (more: Partial<Threat>): string =>
  levelWords.whereabouts(threat(more), (id) => id).replaceAll('\u00a0', ' ');
const depot = { asset_id: null, zone_id: 'Depot', distance_m: 180, inside: false };

t.test('a threat inside a zone says how near a protected place is', async (t) => {
  const cpa = { asset_id: null, zone_id: 'Depot', distance_m: 0, in_s: 15 };
  t.equal(text({ nearest_protected: depot, cpa }), 'inside Surroundings · 180 m to Depot, closest in 15 s');
  t.equal(text({ nearest_protected: depot }), 'inside Surroundings · 180 m to Depot');
  t.equal(
    text({ nearest_protected: depot, cpa: { ...cpa, zone_id: 'Other' } }),
    'inside Surroundings · 180 m to Depot',
    'a closest approach to another place is not told of this one',
  );
  t.equal(text({ nearest_protected: depot, cpa: { ...cpa, in_s: 0 } }), 'inside Surroundings · 180 m to Depot');
});

t.test('a threat inside the protected place, or without one, says how deep it is', async (t) => {
  t.equal(text({}), 'inside Surroundings, 40 m from its edge');
  t.equal(text({ nearest_protected: { ...depot, inside: true } }), 'inside Surroundings, 40 m from its edge');
});
