import { CMD } from './command.ts';
import { type CopterPilot, LOITER } from './copter_pilot.ts';
import type { Target } from './flight.ts';
import type { MissionItem, MissionStore } from './mission.ts';

const REACHED_M = 2;

/** Lets a copter fly the uploaded mission item by item; at its end the copter holds. */
export class CopterMission {
  paused = false;
  readonly #pilot: CopterPilot;
  readonly #store: MissionStore;
  readonly #first: number;
  #begun: number | null = null;
  #heldS = 0;

  /** `first` is the number of the first item to fly: 1 where item 0 is the home. */
  constructor(pilot: CopterPilot, store: MissionStore, first: number) {
    this.#pilot = pilot;
    this.#store = store;
    this.#first = first;
    store.current = Math.max(store.current, first);
    store.onSetCurrent = () => {
      this.#begun = null;
    };
  }

  /** What the mission wants beyond flying to points is told by the item's command. */
  step(dtS: number, groundAmslM: number, home: Target | null): 'flying' | 'return' | 'land' | 'over' {
    const store = this.#store;
    const item = store.items[Math.max(store.current, this.#first)];
    if (item === undefined) return 'over';
    if (item.command === CMD.returnToLaunch) return 'return';
    if (item.command === CMD.land) return 'land';
    const altM = isAmsl(item.frame) ? item.alt - groundAmslM : item.alt + (home?.altM ?? 0);
    if (this.#begun !== item.seq) this.#begin(item, altM);
    if (this.paused) return 'flying';
    if (!this.#isDone(item, altM, dtS)) return 'flying';
    store.reached(item.seq);
    store.current = item.seq + 1;
    if (store.items[store.current] === undefined) this.#pilot.do({ kind: 'hold', push: LOITER });
    return 'flying';
  }

  pause(paused: boolean): void {
    this.paused = paused;
    const { manoeuvre } = this.#pilot;
    if (manoeuvre.kind === 'goto') manoeuvre.paused = paused;
  }

  #begin(item: MissionItem, altM: number): void {
    this.#begun = item.seq;
    this.#heldS = 0;
    if (item.command === CMD.takeoff) this.#pilot.do({ kind: 'takeoff', altM });
    else if (item.command === CMD.changeSpeed) this.#pilot.speedMps = item.p[1];
    else if (item.command === CMD.waypoint) {
      this.#pilot.do({ kind: 'goto', to: { lat: item.lat, lon: item.lon, altM }, paused: this.paused });
    }
  }

  #isDone(item: MissionItem, altM: number, dtS: number): boolean {
    if (item.command === CMD.takeoff) return this.#pilot.manoeuvre.kind !== 'takeoff';
    if (item.command !== CMD.waypoint) return true;
    if (!this.#pilot.isAt({ lat: item.lat, lon: item.lon, altM }, REACHED_M)) return false;
    this.#heldS += dtS;
    return this.#heldS >= item.p[0];
  }
}

export function isAmsl(frame: number): boolean {
  return frame === 0 || frame === 5;
}
