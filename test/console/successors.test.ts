import t from 'tap';
import { placeAt } from '../../src/console/map/camera.ts';
import { predecessorOf, successorOf } from '../../src/console/state/successors.ts';

const site = { lat: 52, lon: 4 };
const at = (s: number): string => new Date(Date.UTC(2026, 5, 1, 10) + s * 1_000).toISOString();

type Given = {
  number: string;
  state: 'tentative' | 'confirmed' | 'lost';
  northM: number;
  firstS: number;
  lastS: number;
};

const trackOf = ({ number, state, northM, firstS, lastS }: Given, serial: string | null = null) => ({
  ...{ id: number, number, state, first_seen_at: at(firstS), last_seen_at: at(lastS) },
  position: {
    ...placeAt(site, northM, 0),
    ...{ alt_hae_m: 100, alt_msl_m: 60, alt_agl_m: null, height_takeoff_m: null },
  },
  velocity: { speed_mps: 10, course_deg: 0, climb_mps: 0 },
  identities: serial === null ? [] : [{ type: 'serial', value: serial }],
});

const lost = trackOf({ number: 'T-0001', state: 'lost', northM: 0, firstS: 0, lastS: 60 });
const near = trackOf({ number: 'T-0002', state: 'confirmed', northM: 250, firstS: 68, lastS: 80 });

t.test('a track that began near a lost one, soon after it, perhaps continues it', async (t) => {
  t.equal(successorOf(lost, [lost, near])?.number, 'T-0002');
  t.equal(predecessorOf(near, [lost, near])?.number, 'T-0001');
  t.equal(successorOf(near, [lost, near]), null, 'only a lost track has a successor');
});

t.test('a track that is too far, too late, older, tentative or named otherwise does not continue it', async (t) => {
  const unfit = {
    far: trackOf({ number: 'T-0003', state: 'confirmed', northM: 500, firstS: 68, lastS: 80 }),
    late: trackOf({ number: 'T-0004', state: 'confirmed', northM: 100, firstS: 130, lastS: 140 }),
    older: trackOf({ number: 'T-0005', state: 'confirmed', northM: 100, firstS: 40, lastS: 80 }),
    tentative: trackOf({ number: 'T-0006', state: 'tentative', northM: 100, firstS: 68, lastS: 80 }),
  };
  for (const [why, track] of Object.entries(unfit)) t.equal(successorOf(lost, [lost, track]), null, why);
  const [one, other] = [
    trackOf({ number: 'T-0001', state: 'lost', northM: 0, firstS: 0, lastS: 60 }, 'A'),
    trackOf({ number: 'T-0002', state: 'confirmed', northM: 250, firstS: 68, lastS: 80 }, 'B'),
  ];
  t.equal(successorOf(one, [one, other]), null, 'another serial number');
  t.equal(successorOf(one, [one, near])?.number, 'T-0002', 'a track without a name');
});

t.test('where two tracks could continue it, or it could continue two, nothing is said', async (t) => {
  const second = trackOf({ number: 'T-0007', state: 'confirmed', northM: -100, firstS: 66, lastS: 80 });
  t.equal(successorOf(lost, [lost, near, second]), null);
  const otherLost = trackOf({ number: 'T-0008', state: 'lost', northM: 50, firstS: 0, lastS: 62 });
  t.equal(successorOf(lost, [lost, otherLost, near]), null);
  t.equal(predecessorOf(near, [lost, otherLost, near]), null);
});
