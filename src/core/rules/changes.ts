import type { RuleField } from '../../model/rule_fields.ts';
import type { SensorFact, TrackFacts } from './facts.ts';

/** Of the fields that rules may ask `changed` of, what they are in one text. */
const read: Partial<Record<RuleField, (track: TrackFacts) => string>> = {
  'track.level': ({ level }) => level,
  'track.affiliation': ({ affiliation }) => affiliation,
  'track.affiliation_basis': ({ affiliationBasis }) => affiliationBasis,
  'track.state': ({ state }) => state,
  'track.cooperative': ({ cooperative }) => cooperative,
  'track.verdict': ({ verdict }) => verdict,
  'track.identity': ({ identities }) =>
    identities
      .map(({ type, value }) => `${type} ${value}`)
      .sort()
      .join('\n'),
  'track.classification': ({ classification }) => classification[0]?.label ?? '',
};

/** What the fields were that some rule compares with before; what is seen first has not changed. */
export class Changes {
  #fields: readonly RuleField[] = [];
  #before = new Map<string, readonly string[]>();
  #changed = new Map<string, readonly RuleField[]>();

  watch(fields: ReadonlySet<RuleField>): void {
    const next = [...fields].sort();
    if (next.join() === this.#fields.join()) return;
    this.#fields = next;
    this.#before.clear();
  }

  look(tracks: readonly TrackFacts[], sensors: readonly SensorFact[]): void {
    this.#changed.clear();
    if (this.#fields.length === 0) return;
    const now = new Map<string, readonly string[]>();
    for (const track of tracks) this.#take(now, track.id, (field) => read[field]?.(track) ?? '');
    for (const sensor of sensors) this.#take(now, sensor.id, (field) => (field === 'sensor.state' ? sensor.state : ''));
    this.#before = now;
  }

  changed(id: string, field: RuleField): boolean {
    return this.#changed.get(id)?.includes(field) ?? false;
  }

  #take(now: Map<string, readonly string[]>, id: string, of: (field: RuleField) => string): void {
    const values = this.#fields.map(of);
    now.set(id, values);
    const before = this.#before.get(id);
    if (!before) return;
    const changed = this.#fields.filter((_, i) => before[i] !== values[i]);
    if (changed.length > 0) this.#changed.set(id, changed);
  }
}
