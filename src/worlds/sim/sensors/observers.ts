import type { ScenarioActor, ScenarioSensor } from '../../../model/scenario.ts';
import { scenarioActorSchema } from '../../../model/scenario.ts';
import { Chance, seedFor } from '../chance.ts';
import type { Member } from '../member.ts';
import type { Schedule } from '../schedule.ts';
import { AdsbBroadcast, RemoteIdBroadcast } from './broadcasts.ts';
import { Looker } from './looker.ts';
import { AdsbReceiver, RemoteIdReceiver } from './receivers.ts';
import type { Sky } from './sky.ts';
import { Station, type StationRim } from './station.ts';

/** A sensor that would be silent otherwise gives so many signs of life within the time that it may be silent. */
const SIGNS_OF_LIFE = 2;

/** A transmitter that lies says what one does of which nothing is told. */
const plainRemoteId = scenarioActorSchema.shape.remote_id.unwrap();

/** All sensors of a scenario and all that is broadcast, each at its own times. */
export class Observers {
  readonly stations: readonly Station[];
  readonly #sky: Sky;
  readonly #schedule: Schedule;
  readonly #remoteId: RemoteIdReceiver[] = [];
  readonly #adsb: AdsbReceiver[] = [];

  constructor(sensors: readonly ScenarioSensor[], sky: Sky, schedule: Schedule, rim: StationRim) {
    this.#sky = sky;
    this.#schedule = schedule;
    this.stations = sensors.map((spec) => this.#open(new Station(spec, rim)));
  }

  #open(station: Station): Station {
    const { spec } = station;
    if (spec.modality === 'adsb') this.#adsb.push(new AdsbReceiver(station));
    else if (spec.modality === 'remote_id') {
      const receiver = new RemoteIdReceiver(station);
      this.#remoteId.push(receiver);
      this.#keepAlive(station, receiver);
    } else {
      const looker = new Looker(station);
      const phase = new Chance(seedFor(station.seed, 'phase')).uniform();
      this.#schedule.every(spec.period_s, phase * spec.period_s, () => looker.scan(this.#sky));
      this.#keepAlive(station, looker);
    }
    return station;
  }

  #keepAlive(station: Station, sensor: { live(sky: Sky): void }): void {
    const everyS = station.spec.heartbeat_s / SIGNS_OF_LIFE;
    const phase = new Chance(seedFor(station.seed, 'life')).uniform();
    this.#schedule.every(everyS, phase * everyS, () => {
      if (this.#sky.atS - station.sentS >= everyS * 0.9) sensor.live(this.#sky);
    });
  }

  /** Lets members broadcast what their actor says, from `fromS` on. */
  listenTo(actor: ScenarioActor, members: readonly Member[], fromS: number): void {
    const lies = actor.kind === 'spoofer' && !actor.remote_id && !actor.adsb;
    const said = lies ? { ...actor, remote_id: plainRemoteId.parse({}) } : actor;
    for (const member of members) {
      // A spoofer says nothing of itself.
      if (actor.kind === 'spoofer' && !member.isGhost) continue;
      if (said.remote_id) this.#broadcast(new RemoteIdBroadcast(member, said, this.#sky, this.#remoteId), fromS);
      if (said.adsb) this.#broadcast(new AdsbBroadcast(member, said, this.#adsb), fromS);
    }
  }

  #broadcast(broadcast: RemoteIdBroadcast | AdsbBroadcast, fromS: number): void {
    const phase = new Chance(seedFor(broadcast.member.seed, 'phase')).uniform();
    this.#schedule.every(broadcast.periodS, fromS + phase * broadcast.periodS, () => broadcast.speak(this.#sky));
  }
}
