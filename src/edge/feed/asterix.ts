import { haeOfMsl } from '../../geo/geoid.ts';
import type { AsterixOptions } from '../../model/link_options.ts';
import type { Identity, Observation } from '../../model/observation.ts';
import type { Modality, Placement } from '../../model/sensor.ts';
import type {
  AsterixHead,
  AsterixMessage,
  RadarPlot,
  ServiceReport,
  StationReport,
  SystemTrack,
} from '../wire/asterix/message.ts';
import { AdsbSender } from './adsb.ts';
import { AsterixSource } from './asterix_source.ts';
import { blankObservation } from './blank.ts';
import { timeWithinDay } from './clock_offset.ts';
import type { LinkFeed } from './link_feed.ts';
import { plotObservation } from './radar_plot.ts';
import { FORGET_SILENT_MS, SenderMap } from './sender_map.ts';
import { isPlausibleTrack, trackObservation } from './system_track.ts';

/**
 * Codes of ASTERIX item 030 that mark a plot as no real target: reflection, side lobe, second-time-around echo, angel,
 * phantom.
 */
const noTargets: ReadonlySet<number> = new Set([1, 2, 4, 5, 10]);
/** Greatest plausible range and height of a radar plot, m. Greater values show that the message is decoded wrongly. */
const MOST_RANGE_M = 480_000;
const MOST_HEIGHT_M = 40_000;
const PLOT_SECTOR_DEG = 10;
/** Silence of a track number after which its next report begins a new track, ms: sources reuse their numbers. */
const NUMBER_HOLDS_MS = 60_000;
/** Least interval between two changes of a radar's own position, ms: each change sends all sensors to the core. */
const MOVES_EVERY_MS = 10_000;
const SAME_PLACE_DEG = 1e-6;

/**
 * Sensor modality of each kind of message. A source with several modalities has a sensor for each; `suffixOf` is
 * appended to the name of each but the first.
 */
const kinds = {
  radar_plot: { modality: 'radar', suffix: 'radar' },
  system_track: { modality: 'external', suffix: 'tracks' },
  station_report: { modality: 'adsb', suffix: 'ADS-B' },
} as const;
const modalityOfService: Readonly<Record<number, Modality>> = {
  23: 'adsb',
  34: 'radar',
  63: 'external',
  65: 'external',
};
const suffixOf: Readonly<Partial<Record<Modality, string>>> = { radar: 'radar', external: 'tracks', adsb: 'ADS-B' };

/**
 * Feed of ASTERIX radars, ADS-B ground stations and trackers. A source (SAC/SIC) has one sensor for each modality, or
 * the one declared sensor that `options.sources` names.
 */
export class AsterixFeed {
  readonly #link: LinkFeed;
  readonly #names: AsterixOptions['sources'];
  readonly #sources: SenderMap<AsterixSource>;
  readonly #firstModality: SenderMap<{ modality: Modality }>;
  readonly #transponders: SenderMap<AdsbSender>;

  constructor(link: LinkFeed) {
    const { settings } = link.deps;
    this.#link = link;
    this.#names = (link.deps.link.options?.sources as AsterixOptions['sources'] | undefined) ?? {};
    this.#sources = new SenderMap(settings.maxSenders);
    this.#firstModality = new SenderMap(settings.maxSenders);
    this.#transponders = new SenderMap(settings.maxSenders, FORGET_SILENT_MS);
  }

  take(message: AsterixMessage, _from: string, atMs: number): void {
    if (!this.#link.admit(senderOf(message), null, atMs)) return;
    const modality = message.kind === 'service' ? modalityOfService[message.category] : kinds[message.kind].modality;
    if (modality === undefined) return;
    const sensorId = this.#sensorOf(message.source, modality, atMs);
    if (sensorId === null) return;
    const source = this.#sources.of(sensorId, () => new AsterixSource());
    if (message.kind === 'service') this.#takeService(message, source, sensorId, atMs);
    else {
      const observation = this.#observationOf(message, source, sensorId, atMs);
      if (observation) this.#report(observation, message, source);
    }
    source.publish(this.#link.deps.sensors, sensorId);
  }

  #observationOf(
    message: Exclude<AsterixMessage, ServiceReport>,
    source: AsterixSource,
    sensorId: string,
    atMs: number,
  ): Observation | null {
    if (message.kind === 'radar_plot') return this.#plot(message, source, sensorId, atMs);
    if (message.kind === 'system_track') return this.#track(message, source, sensorId, atMs);
    return this.#transponder(message, source, sensorId, atMs);
  }

  #plot(plot: RadarPlot, source: AsterixSource, sensorId: string, atMs: number): Observation | null {
    const number = plot.track === null ? null : source.number(plot.track, plot.isLast, atMs, NUMBER_HOLDS_MS);
    if (plot.isGuess) return null;
    if (!source.judge(isPlausiblePlot(plot))) return this.#refuse();
    if (plot.codes.some((code) => noTargets.has(code))) return this.#refuse();
    const { sensors, link } = this.#link.deps;
    const observation = blankObservation(sensorId, link.id, atMs);
    const placement = sensors.resolve(sensorId)?.placement ?? null;
    plotObservation(observation, plot, placement, (given) => sensors.complete(given));
    if (number !== null) observation.identities.unshift(external(`${plot.source}#${number}`));
    observation.scan = source.turn;
    return observation;
  }

  #track(track: SystemTrack, source: AsterixSource, sensorId: string, atMs: number): Observation | null {
    const number = source.number(track.track, track.isLast, atMs, NUMBER_HOLDS_MS);
    if (track.isLast || track.isCoasting) return null;
    if (!source.judge(isPlausibleTrack(track))) return this.#refuse();
    const observation = blankObservation(sensorId, this.#link.deps.link.id, atMs);
    trackObservation(observation, track);
    observation.identities.unshift(external(`${track.source}#${number}`));
    return observation;
  }

  #transponder(report: StationReport, source: AsterixSource, sensorId: string, atMs: number): Observation | null {
    const isPlaced = report.latDeg !== null && report.lonDeg !== null;
    const isOnEarth = !isPlaced || isPlace(report.latDeg, report.lonDeg);
    if (!source.judge(isOnEarth)) return this.#refuse();
    const sender = this.#transponders.of(`${report.source} ${report.icao24}`, () => new AdsbSender(), atMs);
    return sender.take(report, sensorId, this.#link.deps.link.id, atMs);
  }

  #refuse(): null {
    this.#link.implausible++;
    return null;
  }

  #report(observation: Observation, { timeOfDayS }: AsterixHead, { clock }: AsterixSource): void {
    if (timeOfDayS !== null) {
      observation.sourceMs = timeWithinDay(timeOfDayS, observation.receivedMs);
      observation.timeMs = clock.correct(observation.sourceMs, observation.receivedMs);
      this.#link.noteClock(observation.sensorId, clock);
    }
    this.#link.report(observation);
  }

  #takeService(service: ServiceReport, source: AsterixSource, sensorId: string, atMs: number): void {
    source.receiveCondition(service);
    if (service.site) this.#place(service.site, source, sensorId, atMs);
    if (service.event !== 'north') return;
    const period_s = source.beginTurn(service.turnS, atMs);
    const { sensors } = this.#link.deps;
    if (period_s !== null) sensors.reported(sensorId, { turn: { rotating: true, period_s } });
    if (source.turn === null || sensors.resolve(sensorId)?.detection?.rotating !== true) return;
    const sourceMs = service.timeOfDayS === null ? atMs : timeWithinDay(service.timeOfDayS, atMs);
    this.#link.beginTurn(sensorId, source.turn, source.clock.correct(sourceMs, atMs), atMs);
  }

  /**
   * Stores the position that a radar reports for itself. A position that an operator set for the sensor takes
   * precedence.
   */
  #place(
    { latDeg, lonDeg, altMslM }: NonNullable<ServiceReport['site']>,
    source: AsterixSource,
    sensorId: string,
    atMs: number,
  ): void {
    if (!isPlace(latDeg, lonDeg) || atMs - source.placedMs < MOVES_EVERY_MS) return;
    const alt_hae_m = Math.round(haeOfMsl(altMslM, latDeg, lonDeg) * 10) / 10;
    const placement: Placement = { lat: round(latDeg), lon: round(lonDeg), alt_hae_m, mount: 'fixed' };
    if (source.place && isSame(source.place, placement)) return;
    source.place = placement;
    source.placedMs = atMs;
    this.#link.deps.sensors.reported(sensorId, { placement });
  }

  /**
   * Returns the sensor id of a source: a declared sensor that `options.sources` names, else a receiver of the link.
   * Null if the link discards the message.
   */
  #sensorOf(source: string, modality: Modality, atMs: number): string | null {
    const { sensors } = this.#link.deps;
    const name = Object.hasOwn(this.#names, source) ? this.#names[source] : undefined;
    const declared = name === undefined ? null : sensors.resolve(name);
    if (declared && declared.declaredBy !== 'link') {
      sensors.alive(declared.id, atMs);
      return declared.id;
    }
    // A source may be both radar and ground station; each modality after the first gets a sensor of its own.
    const first = this.#firstModality.of(source, () => ({ modality }));
    const receiver = name ?? source;
    const own = first.modality === modality ? receiver : `${receiver} ${suffixOf[modality] ?? modality}`;
    return this.#link.aliveSensor(own, modality, atMs);
  }
}

function external(value: string): Identity {
  return { type: 'external', value, transport: 'network' };
}

/**
 * Returns the sender whose rate limit a message uses. Plots without a track number share the limit of their azimuth
 * sector, because one radar reports many of them.
 */
function senderOf(message: AsterixMessage): string {
  const { source } = message;
  if (message.kind === 'service') return source;
  if (message.kind === 'station_report') return `${source} ${message.icao24}`;
  if (message.track !== null) return `${source}#${message.track}`;
  return `${source} ${Math.floor(((message as RadarPlot).azimuthDeg ?? 0) / PLOT_SECTOR_DEG)}`;
}

function isPlausiblePlot({ rangeM, altMslM }: RadarPlot): boolean {
  const isRange = rangeM !== null && rangeM > 0 && rangeM <= MOST_RANGE_M;
  return isRange && (altMslM === null || Math.abs(altMslM) <= MOST_HEIGHT_M);
}

function isPlace(latDeg: number | null, lonDeg: number | null): boolean {
  return latDeg !== null && lonDeg !== null && Math.abs(latDeg) <= 90 && Math.abs(lonDeg) <= 180;
}

function isSame(a: Placement, b: Placement): boolean {
  return (
    Math.abs(a.lat - b.lat) < SAME_PLACE_DEG && Math.abs(a.lon - b.lon) < SAME_PLACE_DEG && a.alt_hae_m === b.alt_hae_m
  );
}

/** Rounds degrees to 10⁻⁶, which is about 0.1 m. */
function round(degrees: number): number {
  return Math.round(degrees * 1e6) / 1e6;
}
