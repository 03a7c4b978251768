import t from 'tap';
import type { ThreatLevel } from '../../src/model/posture.ts';
import { beginField } from '../support/engagement/begun_field.ts';
import { type Field, planFor, proposalOf } from '../support/engagement/engagement.ts';

/** The field after its first proposal, with functions that let time pass and set the level of the track. */
function begin(...of: Parameters<typeof beginField>) {
  const begun = beginField(...of);
  const { field, track, engagements } = begun;
  engagements.tick();
  const pass = (seconds: number): void => {
    for (let s = 0; s < seconds; s++) {
      field.pass(1);
      engagements.tick();
    }
  };
  const level = (now: ThreatLevel): void => {
    const threat = field.threats.get(track.id);
    if (threat) field.threats.set(track.id, { ...threat, level: now });
  };
  return { ...begun, pass, level, proposal: () => proposalOf(engagements, track.id) };
}

/** Makes every vehicle able, or unable, to use a verb. */
function setVerb(field: Field, verb: 'orbit' | 'look_at', available: boolean): void {
  for (const vehicle of field.vehicles.values()) {
    const found = vehicle.row.verbs.find((known) => known.verb === verb);
    const refusal = available ? { reason: null, text: null } : { reason: 'sensor_fault', text: 'no camera' };
    if (found) Object.assign(found, { available, ...refusal });
  }
}

t.test('a level that swings keeps its plans, and a level that stays low ends them', (t) => {
  const { engagements, pass, level, proposal } = begin(t);
  const { id } = proposal();
  for (let swing = 0; swing < 2; swing++) {
    level('low');
    pass(20);
    t.equal(proposal().id, id, 'low for 20 s');
    level('high');
    pass(5);
    t.equal(proposal().id, id, 'high again');
  }
  level('low');
  pass(29);
  t.equal(proposal().id, id);
  pass(2);
  t.match(engagements.get(id), { state: 'superseded', reason: /the doctrine has no response/ });
  t.end();
});

t.test('a level that rises shows its further responses at once', (t) => {
  const { engagements, pass, level, proposal } = begin(t);
  level('medium');
  pass(40);
  const { id, candidates } = proposal();
  level('critical');
  pass(6);
  t.match(engagements.get(id), { state: 'superseded', reason: /possible responses/ });
  t.ok(proposal().candidates.length > candidates.length);
  t.end();
});

t.test('a response that becomes possible waits until the plans could be read', (t) => {
  const of = begin(t, (field) => setVerb(field, 'look_at', false));
  const { id } = of.proposal();
  t.equal(planFor(of.proposal(), 'observe').feasible, false);
  setVerb(of.field, 'look_at', true);
  of.pass(14);
  t.equal(of.proposal().id, id);
  of.pass(11);
  t.match(of.engagements.get(id), { state: 'superseded', reason: /'observe' is possible now/ });
  t.equal(planFor(of.proposal(), 'observe').feasible, true);
  t.end();
});

t.test('a plan that can be carried out is not taken away for another response', (t) => {
  const of = begin(t, (field) => setVerb(field, 'look_at', false));
  const { id } = of.proposal();
  of.pass(21);
  const more = of.field.addTrack('critical', {}, 80, 600);
  setVerb(of.field, 'look_at', true);
  of.pass(11);
  t.equal(planFor(proposalOf(of.engagements, more.id), 'investigate').feasible, true, 'the only vehicle is matched');
  t.equal(of.proposal().id, id);
  t.equal(planFor(of.proposal(), 'investigate').feasible, true);
  t.end();
});

t.test('a plan that can no longer be carried out is replaced at once', (t) => {
  const of = begin(t);
  const { id } = of.proposal();
  setVerb(of.field, 'orbit', false);
  of.pass(6);
  t.match(of.engagements.get(id), { state: 'superseded', reason: /is no longer possible as it was proposed/ });
  t.end();
});
