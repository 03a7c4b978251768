import { orNotFound } from '../../model/fault.ts';
import { Listeners } from '../../model/listeners.ts';
import type { Observation } from '../../model/observation.ts';
import type { Modality, Placement, Sensor, SensorState } from '../../model/sensor.ts';
import { formatTime } from '../../model/time.ts';
import type { LinkPlaces, Origin, SensorLink } from './link_places.ts';
import { entriesOf, LinkSensors } from './link_sensors.ts';
import { countObservation, sensorDocument, type WatchedSensor, watchedSensor } from './sensor_document.ts';
import { changeRow, knownReceiver, newEntry, type SensorEntry } from './sensor_entry.ts';
import {
  type KnownReceiver,
  type ReceiverSettings,
  type SelfReport,
  type SensorIdentity,
  withSelfReport,
} from './sensor_row.ts';

export type { SensorIdentity } from './sensor_row.ts';

const LATENCIES = 64;

/** Sensors with their states, so that a silent sensor can be told from an empty sky. */
export class SensorStatuses {
  readonly #entries = new Map<string, SensorEntry>();
  readonly #idByName = new Map<string, string>();
  readonly #links: LinkSensors;
  readonly #utcMs: (worldMs: number) => number;
  readonly #nowMs: () => number;
  /** Emits when a sensor was added, removed or changed, so that the core gets the new list. */
  readonly changed = new Listeners();
  /** Emits the id of a removed sensor. */
  readonly removed = new Listeners<[id: string]>();
  /** Emits a receiver of a link that became lasting (`SensorEntry.isLasting`). */
  readonly lasting = new Listeners<[KnownReceiver]>();
  /** Nesting depth of running `atOnce` calls. `#hasChanged` is true if a sensor has changed during them. */
  #batches = 0;
  #hasChanged = false;

  constructor(utcMs: (worldMs: number) => number, nowMs: () => number) {
    this.#utcMs = utcMs;
    this.#nowMs = nowMs;
    this.#links = new LinkSensors({
      nowMs,
      nowText: () => formatTime(utcMs(nowMs())),
      add: (entry) => this.#add(entry),
      drop: (entry) => this.#drop(entry),
      changed: (entry, was) => this.#changed(entry, was),
      lasting: (receiver) => this.lasting.emit(receiver),
    });
  }

  /** Stores the learnt bias of a sensor: in azimuth, degrees, and in range, m. */
  offset(id: string, azimuthDeg: number, rangeM: number): void {
    const live = this.#entries.get(id)?.live;
    if (live) live.bias = { range_m: Math.round(rangeM * 10) / 10, azimuth_deg: Math.round(azimuthDeg * 100) / 100 };
  }

  /** Combines all changes within `work` into one event, because each event sends every sensor to the core. */
  atOnce(work: () => void): void {
    this.#batches++;
    try {
      work();
    } finally {
      this.#batches--;
      if (this.#hasChanged) this.#change();
    }
  }

  #change(): void {
    this.#hasChanged = this.#batches > 0;
    if (!this.#hasChanged) this.changed.emit();
  }

  declare(row: SensorIdentity): void {
    const known = this.#entries.get(row.id);
    if (known) {
      const was = known.row;
      changeRow(known, withSelfReport(row, known.self), this.#nowMs());
      this.#changed(known, was);
    } else this.#add(newEntry(row, this.#nowMs()));
  }

  remove(id: string): void {
    const entry = this.#entries.get(id);
    if (!entry) return;
    if (entry.places && entry !== entry.places.own) entry.places.forget(entry);
    else this.#drop(entry);
  }

  /** Adds a link or updates a changed one. */
  beginLink(link: SensorLink): void {
    this.atOnce(() => this.#links.begin(link));
  }

  /** Restores receivers of earlier runs with their operators' settings. Call this before links open. */
  recall(receivers: readonly KnownReceiver[]): void {
    this.atOnce(() => this.#links.recall(receivers));
  }

  /** Removes a link with its sensors, and returns the ids of these sensors. */
  removeLink(linkId: string): string[] {
    const ids = this.all().flatMap((row) => (row.declaredBy === 'link' && row.linkId === linkId ? [row.id] : []));
    this.atOnce(() => {
      for (const id of ids) this.remove(id);
    });
    this.#links.forget(linkId);
    return ids;
  }

  /** Returns the sensor rows of a link; undefined for an unknown link. */
  placesOf(linkId: string): LinkPlaces | undefined {
    return this.#links.get(linkId);
  }

  /** Removes silent sources on all links (`LinkPlaces.sweep`). Call this about once a second. */
  sweep(nowMs: number): void {
    this.atOnce(() => {
      for (const places of this.#links.all()) places.sweep(nowMs);
    });
  }

  /**
   * Returns the id of the sensor for which a receiver's message counts. Adds the receiver at its first message. If
   * there is no room for the receiver, or another host uses its name, the message counts for the link's own row. Null
   * if that row has reached its limit of messages this second, or if neither link nor sensor is known.
   */
  receivedOn(linkId: string, receiver: string, modality: Modality, nowMs: number, origin: Origin): string | null {
    const places = this.#links.get(linkId);
    if (!places?.link.own) {
      // In a driven world (a simulation or a replay), a sensor that the driver declared takes the message. Another receiver
      // of a known link gets a row, as in the live world.
      const id = this.#links.idOf(linkId, receiver);
      if (!places || this.#entries.get(id)?.places === null) return this.#entries.has(id) ? id : null;
    }
    return places.take(receiver, modality, origin, nowMs)?.row.id ?? null;
  }

  isProven(id: string): boolean {
    return this.#entries.get(id)?.isProven ?? false;
  }

  /** Returns the sensor with this id or name; null if there is none. */
  resolve(idOrName: string): SensorIdentity | null {
    const id = this.#entries.has(idOrName) ? idOrName : this.#idByName.get(idOrName);
    // Ids are stored in lower case; a request may use either case.
    return this.#entries.get(id ?? idOrName.toLowerCase())?.row ?? null;
  }

  /** Notes a sign of life, which may also be an empty scan or a heartbeat. */
  alive(id: string, atMs: number): void {
    const entry = this.#entries.get(id);
    if (entry) entry.live.lifeMs = atMs;
  }

  /** Notes a sign of life of a receiver that already has a row (`LinkPlaces.alive`). */
  aliveOn(linkId: string, receiver: string, atMs: number, origin: Origin): void {
    this.#links.get(linkId)?.alive(receiver, origin, atMs);
  }

  /** Notes that a message or a status line of a link was recognised. */
  linkAlive(linkId: string, atMs: number): void {
    const own = this.#links.get(linkId)?.own;
    if (own) own.live.lifeMs = atMs;
  }

  /** Notes that bytes arrived on a link and could not be decoded. */
  linkNoise(linkId: string, atMs: number): void {
    const places = this.#links.get(linkId);
    if (places) places.condition.noiseMs = atMs;
  }

  /** Notes a fault or limit of the radio behind a link; null clears it. */
  linkRadio(linkId: string, trouble: string | null): void {
    const places = this.#links.get(linkId);
    if (places) places.condition.radio = trouble;
  }

  /**
   * Notes that a link is at fault or disabled. Its sensors are then at fault or off; `unknown` if the link was never
   * open and their deadline has not passed.
   */
  linkDown(linkId: string, state: 'fault' | 'off', reason: string): void {
    const condition = this.#links.get(linkId)?.condition;
    if (!condition) return;
    condition.trouble = { state, reason };
    condition.hasCarrier = false;
    if (state === 'off') condition.wasOpen = false;
  }

  /** Notes that a link is open, or about to open. */
  linkUp(linkId: string, { state, hasCarrier }: { state: string; hasCarrier: boolean }): void {
    const condition = this.#links.get(linkId)?.condition;
    if (!condition) return;
    if (condition.trouble?.state === 'off') condition.enabledMs = this.#nowMs();
    condition.trouble = null;
    condition.hasCarrier = hasCarrier;
    condition.wasOpen ||= state === 'open';
  }

  observed(observation: Observation): void {
    const live = this.#entries.get(observation.sensorId)?.live;
    if (!live) return;
    live.lifeMs = observation.receivedMs;
    live.observedMs = observation.receivedMs;
    countObservation(live, observation.receivedMs);
    if (observation.sourceMs !== null) {
      live.latencies.push(observation.receivedMs - observation.timeMs);
      if (live.latencies.length > LATENCIES) live.latencies.shift();
    }
  }

  /** Fills in the standard deviations that are declared for the sensor, if the observation has none. */
  complete(observation: Observation): void {
    const sigma = this.#entries.get(observation.sensorId)?.row.detection?.sigma;
    if (!sigma) return;
    observation.sigmaHM ??= sigma.h_m ?? null;
    observation.sigmaVM ??= sigma.v_m ?? null;
    observation.sigmaRangeM ??= sigma.range_m ?? null;
    observation.sigmaAzimuthDeg ??= sigma.azimuth_deg ?? null;
    observation.sigmaElevationDeg ??= sigma.elevation_deg ?? null;
    observation.sigmaSpeedMps ??= sigma.speed_mps ?? null;
  }

  clockOffset(id: string, offsetMs: number | null): void {
    const entry = this.#entries.get(id);
    if (entry) entry.live.clockOffsetMs = offsetMs;
  }

  rejected(id: string, reason: string): void {
    const rejects = this.#entries.get(id)?.live.rejects;
    if (rejects) rejects[reason] = (rejects[reason] ?? 0) + 1;
  }

  /** Sets the position of a sensor to the box's own position, as a satellite receiver reports it. */
  moved(id: string, placement: Placement): void {
    const entry = this.#entries.get(id);
    if (!entry) return;
    entry.row = { ...entry.row, placement };
    this.#change();
  }

  /** Stores what a sensor reports about itself. Absent fields keep their values. */
  reported(id: string, { trouble, ...rest }: Partial<SelfReport>): void {
    const entry = this.#entries.get(id);
    if (!entry) return;
    if (trouble !== undefined) entry.self.trouble = trouble;
    if (Object.keys(rest).length === 0) return;
    Object.assign(entry.self, rest);
    if (entry.places) this.#links.set(entry, entry.settings);
    else this.declare(entry.row);
  }

  /** Notes that the program of a receiver reported the receiver as offline. */
  offline(linkId: string, receiver: string, atMs: number): void {
    const entry = this.#links.get(linkId)?.find(receiver);
    if (entry) entry.live.offlineMs = atMs;
  }

  /**
   * True if silence of a link is no fault. Either an operator allows it for one of the link's sensors, or a sensor that
   * states its own deadline was received within that deadline.
   */
  mayBeQuiet(linkId: string): boolean {
    const places = this.#links.get(linkId);
    if (places === undefined) return false;
    const isWithin = ({ row, self, live }: SensorEntry): boolean =>
      self.heartbeatS !== null && live.lifeMs !== null && this.#nowMs() - live.lifeMs < row.heartbeatS * 1_000;
    return entriesOf(places).some((entry) => entry.row.quietOk === true || isWithin(entry));
  }

  /** Returns a link's sensor with its operator's settings; null for any other sensor. */
  receiver(id: string): KnownReceiver | null {
    const entry = this.#entries.get(id);
    return entry?.places ? knownReceiver(entry) : null;
  }

  /**
   * Applies an operator's settings to a link's sensor. A receiver that an operator sets up counts as proven and
   * lasting (`SensorEntry.isLasting`).
   */
  set(id: string, settings: ReceiverSettings, at: { version: number; updatedAt: string }): void {
    const entry = this.#entries.get(id);
    if (!entry?.places) return;
    if (entry !== entry.places.own) entry.places.vouch(entry);
    this.#links.set(entry, settings, at);
  }

  /** Returns the rows of the sensors that people see. */
  rows(): SensorIdentity[] {
    return this.#shown(this.#nowMs()).map(({ row }) => row);
  }

  /** Returns the rows of all sensors. Hidden ones are included, because observations may refer to them. */
  all(): SensorIdentity[] {
    return [...this.#entries.values()].map(({ row }) => row);
  }

  list(nowMs: number): Sensor[] {
    return this.#shown(nowMs).map((entry) => sensorDocument(entry, nowMs, this.#utcMs));
  }

  /**
   * Returns the sensors whose silence is reported (`LinkPlaces.isWatched`). Payloads that no protocol ever reported are
   * excluded.
   */
  watched(nowMs: number): WatchedSensor[] {
    const watched = [...this.#entries.values()].filter((entry) => isWatched(entry, nowMs));
    return watched.map((entry) => watchedSensor(entry, nowMs));
  }

  /** Returns the state of a sensor; null if no sensor has this id. */
  stateOf(id: string, nowMs: number): SensorState | null {
    const entry = this.#entries.get(id);
    return entry ? sensorDocument(entry, nowMs, this.#utcMs).state : null;
  }

  get(id: string, nowMs: number): Sensor {
    const entry = orNotFound(this.#entries.get(id), `there is no sensor with the id ${id} in this workspace`);
    return sensorDocument(entry, nowMs, this.#utcMs);
  }

  #shown(nowMs: number): SensorEntry[] {
    return [...this.#entries.values()].filter((entry) => entry.places?.isShown(entry, nowMs) ?? true);
  }

  #add(entry: SensorEntry): void {
    this.#entries.set(entry.row.id, entry);
    this.#name(entry);
    this.#change();
  }

  #changed(entry: SensorEntry, was: SensorIdentity): void {
    if (JSON.stringify(entry.row) === JSON.stringify(was)) return;
    this.#unname(was);
    this.#name(entry);
    this.#change();
  }

  #drop({ row }: SensorEntry): void {
    this.#entries.delete(row.id);
    this.#unname(row);
    this.removed.emit(row.id);
    this.#change();
  }

  /**
   * Makes a sensor resolvable by name. A declared sensor takes precedence over a receiver of the same name. A link's
   * own row is not resolvable by name.
   */
  #name({ row, places, receiver }: SensorEntry): void {
    if (places?.link.own?.receiver === receiver) return;
    if (places === null || !this.#idByName.has(row.name)) this.#idByName.set(row.name, row.id);
  }

  #unname({ name, id }: SensorIdentity): void {
    if (this.#idByName.get(name) === id) this.#idByName.delete(name);
  }
}

function isWatched(entry: SensorEntry, nowMs: number): boolean {
  const { row, live, places } = entry;
  if (row.declaredBy === 'payload' && live.lifeMs === null) return false;
  return places?.isWatched(entry, nowMs) ?? true;
}
