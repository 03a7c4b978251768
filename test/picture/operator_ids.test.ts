import t from 'tap';
import { sampleTrack } from '../../src/http/openapi/samples.ts';
import type { Track } from '../../src/model/track.ts';
import { entryOf, note, published } from '../../src/picture/entry.ts';

const deps = { timeText: () => '', mslOfHae: () => 0, groundAltHaeM: () => null, provenance: 'live' as const };
const operator = { lat: null, lon: null, type: 'fixed', operator_id: 'AUT-OP-1' } as const;
const times = { first_seen_at: sampleTrack.first_seen_at, last_seen_at: sampleTrack.last_seen_at };

/** The fields of the update that follows a change of a track. */
function updated(document: Track, change: Partial<Track>): string[] {
  const entry = entryOf(1, structuredClone(document), false);
  note(entry, change);
  return Object.keys(published(entry, 0, deps).body).sort();
}

t.test('an identity that repeats the operator id is published together with the operator', (t) => {
  const repeated = [{ type: 'caa' as const, value: operator.operator_id, transport: 'bt5' as const, ...times }];
  const all = ['id', 'identities', 'lineage', 'operator'];
  t.same(updated({ ...sampleTrack, operator }, { identities: repeated }), all);
  t.same(updated({ ...sampleTrack, operator: null, identities: repeated }, { operator }), all);
  t.same(updated({ ...sampleTrack, operator, identities: repeated }, { quality: 0.1 }), ['id', 'quality']);
  t.same(updated({ ...sampleTrack, operator, identities: [] }, { identities: sampleTrack.identities }), [
    'id',
    'identities',
  ]);
  t.end();
});
