import type { RuleField } from '../../model/rule_fields.ts';
import type { SensorFact, TrackFacts } from './facts.ts';
import { trackWords } from './track_fields.ts';

/** Text of each field that rules may ask `changed` of. */
const read: Partial<Record<RuleField, (track: TrackFacts) => string>> = {
  ...trackWords,
  'track.identity': ({ identities }) =>
    identities
      .map(({ type, value }) => `${type} ${value}`)
      .sort()
      .join('\n'),
  'track.classification': ({ classification }) => classification[0]?.label ?? '',
};

/** Values of the fields at the evaluation before; a track that is new has not changed. */
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

  evaluate(tracks: readonly TrackFacts[], sensors: readonly SensorFact[]): void {
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
