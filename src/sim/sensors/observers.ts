import { MavlinkEncoder } from '../../edge/wire/mavlink/encode.ts';
import { type Payload, writeHeartbeat } from '../../edge/wire/mavlink/write.ts';
import { type ScenarioActor, type ScenarioSensor, scenarioActorSchema } from '../../model/scenario.ts';
import { Chance, seedFor } from '../kernel/chance.ts';
import type { Schedule } from '../kernel/schedule.ts';
import type { Member } from '../population/member.ts';
import { adsbBroadcast, type Broadcast, remoteIdBroadcast } from './broadcasts.ts';
import { Looker } from './looker.ts';
import { Receiver } from './receiver.ts';
import type { Sky } from './sky.ts';
import { Station, type StationDeps } from './station.ts';

/** Number of signs of life that a sensor without detections sends within its heartbeat time. */
const SIGNS_OF_LIFE = 2;

/**
 * MAVLink ids and heartbeat of a Remote ID receiver: MAV_COMP_ID_ODID_TXRX_1, MAV_TYPE_ODID, MAV_AUTOPILOT_INVALID,
 * MAV_STATE_ACTIVE.
 */
export const RECEIVER = { sysid: 1, compid: 236 };
const HEARTBEAT = {
  ...{ customMode: 0, type: 34, autopilot: 8, baseMode: 0, systemStatus: 4, mavlinkVersion: 3 },
};

/** Schema whose defaults are the Remote ID of a spoofer, if the scenario gives neither Remote ID nor ADS-B. */
const plainRemoteId = scenarioActorSchema.shape.remote_id.unwrap();

/** Runs all sensors and transmitters of a scenario, each at its own times. */
export class Observers {
  readonly stations: readonly Station[];
  readonly #sky: Sky;
  readonly #schedule: Schedule;
  readonly #remoteId: Receiver<Payload>[] = [];
  readonly #adsb: Receiver<Uint8Array>[] = [];

  constructor(sensors: readonly ScenarioSensor[], sky: Sky, schedule: Schedule, deps: StationDeps) {
    this.#sky = sky;
    this.#schedule = schedule;
    this.stations = sensors.map((spec) => this.#open(new Station(spec, deps)));
  }

  #open(station: Station): Station {
    const { spec } = station;
    // An SBS-1 stream has no message for "nothing received", so it is silent while no aircraft is received.
    if (spec.modality === 'adsb') this.#adsb.push(new Receiver(station, (lines) => lines));
    else if (spec.modality === 'remote_id') {
      // The receiver is a separate MAVLink component, which forwards OPEN_DRONE_ID messages.
      const encoder = new MavlinkEncoder(RECEIVER);
      this.#remoteId.push(new Receiver(station, (payload) => encoder.encode(payload)));
      this.#keepAlive(station, () => encoder.encode(writeHeartbeat(HEARTBEAT)));
    } else {
      const looker = new Looker(station);
      const phase = new Chance(seedFor(station.seed, 'phase')).uniform();
      this.#schedule.every(spec.period_s, phase * spec.period_s, () => looker.scan(this.#sky));
      this.#keepAlive(station, () => looker.signOfLife(this.#sky.atS));
    }
    return station;
  }

  #keepAlive(station: Station, signOfLife: () => Uint8Array): void {
    const everyS = station.spec.heartbeat_s / SIGNS_OF_LIFE;
    const phase = new Chance(seedFor(station.seed, 'life')).uniform();
    this.#schedule.every(everyS, phase * everyS, () => {
      if (this.#sky.atS - station.sentS >= everyS * 0.9) station.send(signOfLife(), this.#sky.atS);
    });
  }

  /** Starts the broadcasts of an actor's members from scenario time `fromS` on. */
  listenTo(actor: ScenarioActor, members: readonly Member[], fromS: number): void {
    const isSpoofer = actor.kind === 'spoofer';
    const remoteId = actor.remote_id ?? (isSpoofer && !actor.adsb ? plainRemoteId.parse({}) : undefined);
    for (const member of members) {
      // A spoofer broadcasts for its ghosts, never for itself.
      if (isSpoofer && !member.isGhost) continue;
      if (remoteId) this.#add(remoteIdBroadcast(member, actor, remoteId, this.#sky, this.#remoteId), fromS);
      if (actor.adsb) this.#add(adsbBroadcast(member, actor, actor.adsb, this.#adsb), fromS);
    }
  }

  #add({ member, periodS, speak }: Broadcast, fromS: number): void {
    const phase = new Chance(seedFor(member.seed, 'phase')).uniform();
    this.#schedule.every(periodS, fromS + phase * periodS, () => speak(this.#sky));
  }
}
