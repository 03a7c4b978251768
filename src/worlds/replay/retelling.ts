import type { SensorIdentity } from '../../edge/feed/sensor_book.ts';
import type { TrackWord } from '../../model/assessment.ts';
import type { LinkSpec } from '../../model/link.ts';
import type { RuleValue } from '../../model/rule_value.ts';
import type { Wires } from '../driven/wire.ts';
import type { DeclaredLink } from '../link_runner.ts';
import { numberOfLabel } from '../restore.ts';
import type { World } from '../world.ts';
import type { RecordedTable, RegistrySnapshot, TableChange } from './records.ts';
import { Tables } from './tables.ts';

type LinkRow = { id: string; spec: LinkSpec; issued_for: string | null; of_file: boolean };
type StateRow = { id: string; state: string; error: string | null };

export type RetellingRim = {
  world: World;
  wires: Wires;
  /** UTC of the world. */
  nowText(): string;
};

/** Who dismissed a threat is not recorded. */
const BY = 'recorded';

/** Tells a world anew what another went by beside its registry: links, sensors, rules, and what people said of tracks. */
export class Retelling {
  readonly #world: World;
  readonly #wires: Wires;
  readonly #nowText: () => string;
  readonly #tables = new Tables();
  readonly #dismissed = new Set<string>();

  constructor({ world, wires, nowText }: RetellingRim, { tables }: Pick<RegistrySnapshot, 'tables'>) {
    this.#world = world;
    this.#wires = wires;
    this.#nowText = nowText;
    for (const table of Object.keys(tables) as RecordedTable[])
      this.#tables.take({ kind: 'registry', table, op: 'all', rows: tables[table] });
  }

  /** What held at the beginning; once the world has started. */
  async begin(): Promise<void> {
    this.#sensors();
    await this.#links();
    this.#world.links.start();
    for (const { id, state, error } of this.#rows<StateRow>('link_states')) this.link(id, state, error);
    this.#rules();
    this.#words(this.#rows<TrackWord>('words'));
  }

  async take(change: TableChange): Promise<void> {
    this.#tables.take(change);
    const { table } = change;
    if (table === 'sensors') this.#sensors();
    else if (table === 'links') await this.#links();
    else if (table === 'words' && change.op !== 'remove') this.#words(change.rows as unknown as TrackWord[]);
    // Which built-in rules hold follows from the doctrine as well: what was recorded of them has the last word.
    else if (table === 'rules' || table === 'doctrine') this.#rules();
  }

  link(id: string, state: string, error: string | null): void {
    const name = this.nameOf(id);
    if (name !== null) this.#wires.turn(name, state === 'open' ? null : (error ?? state));
  }

  /** What its wire is called. */
  nameOf(linkId: string): string | null {
    return this.#world.links.get(linkId)?.spec.name ?? null;
  }

  #sensors(): void {
    const { sensors, shownSensors } = this.#world;
    const rows = this.#rows<SensorIdentity>('sensors');
    const there = new Set(rows.map(({ id }) => id));
    const gone = sensors.rows().flatMap(({ id }) => (there.has(id) ? [] : [id]));
    sensors.atOnce(() => {
      for (const row of rows) if (JSON.stringify(sensors.resolve(row.id)) !== JSON.stringify(row)) sensors.declare(row);
      for (const id of gone) sensors.remove(id);
    });
    if (gone.length > 0) shownSensors.removed(...gone);
    shownSensors.look();
  }

  async #links(): Promise<void> {
    const { links } = this.#world;
    const rows = this.#rows<LinkRow>('links');
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
    this.#world.briefing.setRules(this.#rows<RuleValue>('rules'));
  }

  /** Who a track is follows from the registry again; what people and other days said of it does not. */
  #words(words: readonly TrackWord[]): void {
    for (const { number, visits, dismissed } of words) {
      const id = dismissed || this.#dismissed.size > 0 ? this.#trackOf(number) : undefined;
      if (visits > 0) this.#world.briefing.visited(number, visits);
      if (id === undefined || dismissed === this.#dismissed.has(id)) continue;
      const at = this.#nowText();
      const mark = dismissed ? { by: BY, at, reason: 'somebody dismissed it then', until: null } : null;
      const { acknowledged } = this.#world.threats.marksOf(id);
      this.#world.threats.mark(id, { acknowledged, dismissed: mark });
      if (dismissed) this.#dismissed.add(id);
      else this.#dismissed.delete(id);
    }
  }

  #trackOf(number: number): string | undefined {
    return this.#world.tracks().find((track) => numberOfLabel(track) === number)?.id;
  }

  #rows<Row extends object>(table: RecordedTable): Row[] {
    return this.#tables.rows(table) as unknown as Row[];
  }
}
