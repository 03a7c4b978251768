import { idOfName } from '../../host/name_id.ts';
import type { Modality } from '../../model/sensor.ts';
import { LinkPlaces, type PlaceLimits, type PlacesDeps, type SensorLink } from './link_places.ts';
import { changeRow, knownReceiver, newEntry, type SensorEntry } from './sensor_entry.ts';
import { type KnownReceiver, type ReceiverSettings, rowFields, type SensorIdentity } from './sensor_row.ts';

/**
 * Greatest numbers of proven and unproven receivers of all links that have a row. Each link gets an equal share, at
 * most `MOST_OF_LINK`, so that a flood on one link does not use the share of another.
 */
const MOST_PROVEN = 2_048;
const MOST_UNPROVEN = 512;
const MOST_OF_LINK: PlaceLimits = { proven: 256, unproven: 32 };
/**
 * Greatest number of cached receiver ids. They are cached because every message needs one, and computing it takes a
 * hash.
 */
const MOST_IDS = 4_096;

export type LinkSensorsDeps = {
  nowMs(): number;
  nowText(): string;
  add(entry: SensorEntry): void;
  drop(entry: SensorEntry): void;
  /** Called when the row of an entry has changed. */
  changed(entry: SensorEntry, was: SensorIdentity): void;
  lasting(receiver: KnownReceiver): void;
};

/** Sensor rows of all links. A link has its own row from the start; a new receiver gets one at its first message. */
export class LinkSensors implements PlacesDeps {
  readonly #deps: LinkSensorsDeps;
  readonly #links = new Map<string, LinkPlaces>();
  readonly #ids = new Map<string, string>();
  /** Receivers of earlier runs whose link has not been added yet. */
  #known: readonly KnownReceiver[] = [];

  constructor(deps: LinkSensorsDeps) {
    this.#deps = deps;
  }

  get(linkId: string): LinkPlaces | undefined {
    return this.#links.get(linkId);
  }

  all(): Iterable<LinkPlaces> {
    return this.#links.values();
  }

  /** Adds a link or updates a changed one. Its sensors without a deadline of their own use the link's `silence_s`. */
  begin(link: SensorLink): void {
    const places = this.#links.get(link.id) ?? new LinkPlaces(link, this.#deps.nowMs(), this);
    this.#links.set(link.id, places);
    places.link = link;
    if (link.own && !places.own) places.own = this.add(places, link.own.receiver, link.own.modality);
    for (const known of this.#known) if (known.linkId === link.id) this.#recall(places, known);
    this.#known = this.#known.filter(({ linkId }) => linkId !== link.id);
    for (const entry of entriesOf(places)) this.set(entry, entry.settings);
  }

  /** Restores receivers of earlier runs with their operators' settings. */
  recall(receivers: readonly KnownReceiver[]): void {
    this.#known = receivers;
    for (const { link } of [...this.#links.values()]) this.begin(link);
  }

  forget(linkId: string): void {
    this.#links.delete(linkId);
  }

  remove(entry: SensorEntry): void {
    this.#deps.drop(entry);
  }

  lasting(entry: SensorEntry): void {
    this.#deps.lasting(knownReceiver(entry));
  }

  /**
   * Applies an operator's settings to a sensor of a link. `at` has further fields of the row that change together with
   * the settings.
   */
  set(entry: SensorEntry, settings: ReceiverSettings, at: Partial<SensorIdentity> = {}): void {
    const { row: was, places } = entry;
    entry.settings = settings;
    const { quietOk: _quiet, detection: _detection, ...plain } = was;
    // A receiver at the box's own position keeps that position until an operator sets one. Other mobile receivers
    // report each position themselves.
    const ofBox = was.placement?.mount === 'mobile' ? was.placement : null;
    const known = entry.self.placement ?? ofBox;
    const placement = settings.placement ?? known;
    const detection = entry.self.turn && { ...settings.detection, ...entry.self.turn };
    const heartbeatS = settings.heartbeatS ?? entry.self.heartbeatS;
    const fields = rowFields(
      { ...settings, heartbeatS, detection: detection ?? settings.detection },
      places?.link.silenceS,
    );
    const row = { ...plain, ...entry.self.title, ...fields, placement, ...at };
    changeRow(entry, row, this.#deps.nowMs());
    this.#deps.changed(entry, was);
  }

  idOf(linkId: string, receiver: string): string {
    const key = `${linkId} ${receiver}`;
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    if (this.#ids.size >= MOST_IDS) this.#ids.clear();
    const id = idOfName('sensor', linkId, receiver);
    this.#ids.set(key, id);
    return id;
  }

  add(places: LinkPlaces, receiver: string, modality: Modality): SensorEntry {
    const { link } = places;
    const at = this.#deps.nowText();
    const row: SensorIdentity = {
      id: this.idOf(link.id, receiver),
      name: receiver === '' ? link.name : `${link.name} ${receiver}`,
      ...{ modality, placement: null, heartbeatS: link.silenceS, declaredBy: 'link', linkId: link.id },
      ...{ version: 1, createdAt: at, updatedAt: at },
    };
    const entry = newEntry(row, this.#deps.nowMs());
    entry.places = places;
    entry.receiver = receiver;
    this.#deps.add(entry);
    return entry;
  }

  #recall(places: LinkPlaces, known: KnownReceiver): void {
    const { receiver, modality, heartbeatS, quietOk, placement, detection, version, createdAt, updatedAt } = known;
    const isOwn = places.own !== null && receiver === places.link.own?.receiver;
    const there = places.receivers.find((entry) => entry.receiver === receiver);
    const entry = isOwn && places.own ? places.own : (there ?? this.add(places, receiver, modality));
    if (!isOwn) places.vouch(entry);
    entry.settings = { heartbeatS, quietOk, placement, detection };
    entry.row = { ...entry.row, version, createdAt, updatedAt };
  }

  limits(): PlaceLimits {
    const links = Math.max(1, this.#links.size);
    return {
      proven: Math.min(MOST_OF_LINK.proven, Math.floor(MOST_PROVEN / links)),
      unproven: Math.max(1, Math.min(MOST_OF_LINK.unproven, Math.floor(MOST_UNPROVEN / links))),
    };
  }
}

export function entriesOf({ own, receivers }: LinkPlaces): SensorEntry[] {
  return own ? [own, ...receivers] : receivers;
}
