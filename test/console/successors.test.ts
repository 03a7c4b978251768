import t from 'tap';
import { placeAt } from '../../src/console/map/camera.ts';
import { Successors, successorOf } from '../../src/console/state/successors.ts';

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
});

t.test('a decision about a lost track is made once, while the other track has just begun', async (t) => {
  const successors = new Successors();
  successors.look([lost, near]);
  t.equal(successors.of('T-0001'), 'T-0002');
  t.equal(successors.before('T-0002'), 'T-0001');
  const later = trackOf({ number: 'T-0002', state: 'confirmed', northM: 9_000, firstS: 68, lastS: 400 });
  successors.look([later]);
  t.equal(successors.of('T-0001'), 'T-0002', 'it stays, also when the lost track is closed');

  const far = new Successors();
  const begun = (northM: number, lastS: number) =>
    trackOf({ number: 'T-0009', state: 'confirmed', northM, firstS: 68, lastS });
  far.look([lost, begun(1_500, 80)]);
  far.look([lost, begun(500, 300)]);
  t.equal(far.of('T-0001'), null, 'a far track comes into reach with time, and is no successor');

  const swarm = new Successors();
  const second = trackOf({ number: 'T-0007', state: 'confirmed', northM: -100, firstS: 66, lastS: 80 });
  swarm.look([lost, near, second]);
  swarm.look([lost, near]);
  t.equal(swarm.of('T-0001'), null, 'one of two that could be it has ended');
});
