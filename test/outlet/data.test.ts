import t from 'tap';
import { outletSpecSchema } from '../../src/model/outlet.ts';
import type { Threat } from '../../src/model/threat.ts';
import { preparedArea } from '../../src/outlet/area.ts';
import { verdictOf } from '../../src/outlet/filter.ts';
import { encoderOf } from '../../src/outlet/kinds.ts';
import { viewOf } from '../../src/outlet/views.ts';
import { emptyPicture } from '../support/outlet/pictures.ts';
import { type OutletCase, outletCases, outletDataMissing } from '../support/outlet/shared_outlets.ts';
import { childOf, readEvent } from '../support/outlet/tak.ts';

const base = { name: 'tak', kind: 'cot', transport: 'udp', address: '127.0.0.1:9' };

/** What an outlet of the case sends of its track, as texts; the verdict where it sends none. */
function sentOf({ node_id, at, outlet, track, threat, asset }: OutletCase): string[] | string {
  const spec = outletSpecSchema.parse({ ...base, ...outlet });
  const picture = {
    ...emptyPicture,
    threat: () => ({ ...threat, factors: [] }) as unknown as Threat,
    asset: () => asset && { name: asset.name, cotType: asset.cot_type },
  };
  const verdict = verdictOf(track, threat.level, spec.filter, preparedArea(spec.filter.area, picture));
  if (verdict !== 'sent') return verdict;
  const box = { nodeId: node_id, version: '0.1.0' };
  const encoder = encoderOf({ box, picture, believedMs: Date.now }, spec);
  const messages = encoder.track(viewOf(track, spec.redact, picture), Date.parse(at));
  return messages.map(({ bytes }) => Buffer.from(bytes).toString('utf8'));
}

t.test(
  'an outlet of CoT sends of each track what the data of the format says',
  { skip: outletDataMissing },
  async (t) => {
    for (const one of outletCases()) {
      const { told, why, cot } = one.expect;
      const sent = sentOf(one);
      if (!told || cot === undefined) {
        t.equal(sent, why, one.id);
        continue;
      }
      if (typeof sent === 'string') {
        t.fail(`${one.id} is not sent: ${sent}`);
        continue;
      }
      const [event, ...others] = sent.map(readEvent);
      if (event === undefined) throw new Error(one.id);
      const track = childOf(event, 'track')?.attributes;
      t.match(
        event,
        { uid: cot.uid, type: cot.type, how: cot.how, time: cot.time, start: cot.start, stale: cot.stale },
        one.id,
      );
      const { lat, lon, hae, ce, le } = cot;
      t.same(event.point, { lat, lon, hae, ce, le }, one.id);
      t.same(track && { course: Number(track.course), speed: Number(track.speed) }, cot.track, one.id);
      t.same(
        childOf(event, 'contact')?.attributes,
        { callsign: cot.callsign },
        `${one.id}: a contact without an endpoint`,
      );
      t.same(
        others.map(({ uid }) => uid),
        cot.extra_uids,
        one.id,
      );
      for (const hidden of cot.must_not_contain ?? [])
        t.notOk(sent.join('').includes(hidden), `${one.id}: no ${hidden}`);
    }
  },
);
