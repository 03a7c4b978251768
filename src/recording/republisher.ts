import type { TrackWord } from '../model/assessment.ts';
import type { Affiliation } from '../model/assignment.ts';
import type { Wire, Wires } from '../world/driven/memory_wire.ts';
import type { DeclaredLink } from '../world/link_runner.ts';
import { numberOfLabel } from '../world/restore.ts';
import type { World } from '../world/world.ts';
import type { RestoredRow } from './restored_rows.ts';
import type { RestoredChange, RestoredTables } from './restored_tables.ts';

type LinkRow = RestoredRow['links'];

/**
 * Name shown for the person who dismissed a threat or set an affiliation, because recordings do not contain the name.
 */
const BY = 'recorded';

/**
 * Restores the inputs of a replayed world besides the registry: links, sensors, rules, and decisions of people about
 * tracks.
 */
export class Republisher {
  readonly #world: World;
  readonly #wires: Wires;
  readonly #nowText: () => string;
  readonly #tables: RestoredTables;
  readonly #dismissed = new Set<string>();
  readonly #affiliated = new Set<number>();

  /** `nowText` returns the current UTC of the replayed world. */
  constructor(world: World, wires: Wires, nowText: () => string, tables: RestoredTables) {
    this.#world = world;
    this.#wires = wires;
    this.#nowText = nowText;
    this.#tables = tables;
  }

  /** Restores the initial state. Call this once the world has started. */
  async begin(): Promise<void> {
    this.#sensors();
    await this.#links();
    this.#world.links.start();
    for (const { id, state, error } of this.#tables.rows('link_states')) this.link(id, state, error);
    this.#rules();
    this.#words(this.#tables.rows('words'));
  }

  /** Applies a change to the world. The tables must contain the change already. */
  async take({ table, op, ids }: RestoredChange): Promise<void> {
    if (table === 'sensors') this.#sensors();
    else if (table === 'links') await this.#links();
    else if (table === 'words' && op !== 'remove') this.#words(this.#tables.rowsOf('words', ids));
    // The doctrine enables built-in rules too, but the recorded rules have precedence.
    else if (table === 'rules' || table === 'doctrine') this.#rules();
  }

  link(id: string, state: string, error: string | null): void {
    this.wireOf(id)?.setDown(state === 'open' ? null : (error ?? state));
  }

  wireOf(linkId: string): Wire | undefined {
    return this.#wires.get(this.#world.links.get(linkId)?.spec.name ?? '');
  }

  #sensors(): void {
    const { sensors } = this.#world;
    const rows = this.#tables.rows('sensors');
    const there = new Set(rows.map(({ id }) => id));
    const gone = sensors.rows().flatMap(({ id }) => (there.has(id) ? [] : [id]));
    sensors.atOnce(() => {
      for (const row of rows) if (JSON.stringify(sensors.resolve(row.id)) !== JSON.stringify(row)) sensors.declare(row);
      for (const id of gone) sensors.remove(id);
    });
    if (gone.length > 0) this.#world.removeSensors(...gone);
    this.#world.evaluateSensors();
  }

  async #links(): Promise<void> {
    const { links } = this.#world;
    const rows = this.#tables.rows('links');
    for (const { id } of links.list()) if (!rows.some((row) => row.id === id)) await links.remove(id);
    for (const row of rows) {
      const was = links.get(row.id)?.declared;
      if (!was) links.add(this.#declared(row));
      else if (JSON.stringify(was.spec) !== JSON.stringify(row.spec) || was.issuedFor !== row.issued_for)
        await links.change(row.id, async () => this.#declared(row));
    }
  }

  #declared({ id, spec, issued_for: issuedFor, of_file: ofFile }: LinkRow): DeclaredLink {
    const at = this.#nowText();
    return { id, spec, issuedFor, ofFile, version: 1, createdAt: at, updatedAt: at };
  }

  #rules(): void {
    this.#world.coreConfiguration.setRules(this.#tables.rows('rules'));
  }

  /**
   * Restores visits and dismissals of tracks, and the affiliations that people set. All other affiliations follow from
   * the registry.
   */
  #words(words: readonly TrackWord[]): void {
    for (const { number, visits, dismissed, setAffiliation } of words) {
      if (visits > 0) this.#world.coreConfiguration.visited(number, visits);
      const hasSet = setAffiliation !== null || this.#affiliated.has(number);
      const id = dismissed || this.#dismissed.size > 0 || hasSet ? this.#trackOf(number) : undefined;
      if (id === undefined) continue;
      const at = this.#nowText();
      if (hasSet) this.#setAffiliation(number, id, setAffiliation, at);
      if (dismissed === this.#dismissed.has(id)) continue;
      const mark = dismissed
        ? { by: BY, at, reason: 'a person dismissed the threat at the time of the recording', until: null }
        : null;
      const { acknowledged } = this.#world.threats.marksOf(id);
      this.#world.threats.mark(id, { acknowledged, dismissed: mark, dismissal_ended: null });
      if (dismissed) this.#dismissed.add(id);
      else this.#dismissed.delete(id);
    }
  }

  #setAffiliation(number: number, id: string, affiliation: Affiliation | null, at: string): void {
    const { picture } = this.#world;
    if (affiliation === null) this.#affiliated.delete(number);
    else this.#affiliated.add(number);
    if ((picture.track(id)?.affiliation_set?.affiliation ?? null) === affiliation) return;
    const set = { by: BY, at, reason: 'a person set the affiliation at the time of the recording', expires_at: null };
    picture.byHand.set(id, affiliation === null ? null : { ...set, affiliation });
  }

  #trackOf(number: number): string | undefined {
    return this.#world.tracks().find((track) => numberOfLabel(track) === number)?.id;
  }
}
