import { CMD, type Command, RESULT, type Result } from './command.ts';
import { isAmsl } from './copter_mission.ts';
import type { Target } from './flight.ts';
import type { Fields } from './messages.ts';
import { Vehicle } from './vehicle.ts';

export type Mode = { number: number; name: string };

const CAPABILITIES = 64_495n;
const POSITION_FRAMES = new Set([0, 3, 5, 6, 10, 11]);

/** What ArduCopter and ArduPlane have in common. */
export abstract class ArduPilot extends Vehicle {
  mode = 0;
  protected abstract readonly modes: Mode[];
  protected abstract setMode(mode: number): boolean;
  protected abstract readonly vehicleType: number;
  protected armedS = 0;
  /** Its heartbeats have the state CRITICAL: a failsafe of its own acts. */
  isCritical = false;
  /** Its EKF has lost its position; positions go on with the last estimate. */
  isEkfLost = false;
  /** Its own fence: FENCE_STATUS is sent while it is on; the breach is FENCE_BREACH, 0 for none. */
  fence: { breach: number } | null = null;

  protected heartbeat(): Fields {
    return {
      type: this.vehicleType,
      autopilot: 3,
      base_mode: (this.isBooting ? 89 : 81) + (this.armed ? 128 : 0),
      custom_mode: this.mode,
      ...(this.isCritical ? { system_status: 5 } : {}),
    };
  }

  protected override bootText(): string[] {
    const lines = ['AP_Logger_File: buffer size=204800\n', 'Init ArduPilot\n', 'Init Gyro', '*', '*', '*', '\n'];
    return ['0 ', ...lines];
  }

  protected override message(name: string): Fields | null {
    if (name === 'AUTOPILOT_VERSION') return this.#version();
    if (name === 'EKF_STATUS_REPORT')
      return { flags: this.condition.hasPosition && !this.isEkfLost ? 831 : 1_024, velocity_variance: 0.1 };
    if (name === 'FENCE_STATUS') {
      const { breach } = this.fence ?? { breach: 0 };
      return this.fence && { breach_status: breach > 0 ? 1 : 0, breach_type: breach, breach_count: breach > 0 ? 1 : 0 };
    }
    if (name === 'CURRENT_MODE') return { standard_mode: 0, custom_mode: this.mode, intended_custom_mode: this.mode };
    if (name === 'AVAILABLE_MODES') return {};
    return super.message(name);
  }

  protected override sendRequested(name: string, parameter: number): boolean {
    if (name !== 'AVAILABLE_MODES') return super.sendRequested(name, parameter);
    for (const [index, { number, name: mode_name }] of this.modes.entries()) {
      if (parameter !== 0 && parameter !== index + 1) continue;
      const counts = { number_modes: this.modes.length, mode_index: index + 1 };
      // The standard mode is always zero, whatever the mode is.
      this.send('AVAILABLE_MODES', { ...counts, standard_mode: 0, custom_mode: number, properties: 0, mode_name });
    }
    return true;
  }

  protected override canStream(name: string): boolean {
    return name === 'FENCE_STATUS' || super.canStream(name);
  }

  /** A failsafe of its own: it says so, and goes into a mode by itself. */
  failsafe(text: string, mode: number): void {
    this.say(text, 2);
    this.setMode(mode);
  }

  /** The same in the order of a real one: a heartbeat of the mode at once, with the state CRITICAL, and the text right behind it. */
  failsafeModeFirst(text: string | null, mode: number): void {
    this.setMode(mode);
    this.isCritical = true;
    this.beat();
    if (text !== null) this.after(0.1, () => this.say(text, 4));
  }

  /** Commands that copter and plane answer alike; undefined for others. */
  protected common(command: Command): Result | undefined {
    const [p1, p2] = command.p;
    switch (command.id) {
      case CMD.requestCapabilities:
        this.after(0.001, () => this.sendRequested('AUTOPILOT_VERSION', 0));
        return RESULT.accepted;
      case CMD.getHome:
        if (this.home === null) return RESULT.failed;
        this.after(0.001, () => this.sendRequested('HOME_POSITION', 0));
        return RESULT.accepted;
      case CMD.setMode:
        if (p1 % 2 !== 1) return RESULT.denied;
        if (this.modes.some(({ number }) => number === p2)) return this.setMode(p2) ? RESULT.accepted : RESULT.failed;
        this.say(`No such mode ${p2}`, 3);
        return RESULT.failed;
      case CMD.flightTermination:
        if (p1 > 0.5) this.#stopMotors();
        return RESULT.accepted;
      case CMD.armDisarm:
        return p1 === 1 ? this.#arm(p2) : this.#disarm(p2);
      default:
        return undefined;
    }
  }

  /** Why it may not arm now; null where it may. */
  protected abstract armingFault(): string | null;

  protected disarm(): void {
    this.armed = false;
    this.armedS = 0;
  }

  protected modeName(mode: number): string {
    return this.modes.find(({ number }) => number === mode)?.name ?? String(mode);
  }

  protected modeResult(mode: number): Result {
    return this.setMode(mode) ? RESULT.accepted : RESULT.failed;
  }

  protected refuseMode(mode: number, why: string): boolean {
    this.say(`Mode change to ${this.modeName(mode)} failed: ${why}`, 4);
    return false;
  }

  /** A place it would fly to, however far; null for none. */
  protected placeIn(frame: number, lat: number, lon: number, alt: number): Target | null {
    if (!POSITION_FRAMES.has(frame) || Number.isNaN(alt)) return null;
    if (!(Math.abs(lat) <= 90 && Math.abs(lon) <= 180) || (lat === 0 && lon === 0)) return null;
    return { lat, lon, altM: this.altIn(frame, alt) };
  }

  /** Above its start. */
  protected altIn(frame: number, alt: number): number {
    return isAmsl(frame) ? alt - this.groundAmslM : alt + (this.home?.altM ?? 0);
  }

  protected homeTarget(): Target {
    const { lat, lon, altM } = this.home ?? this.body;
    return { lat, lon, altM };
  }

  #arm(p2: number): Result {
    if (this.armed) return RESULT.accepted;
    const fault = p2 === 2_989 ? null : this.armingFault();
    if (fault !== null) {
      this.say(`Arm: ${fault}`, 2);
      return RESULT.failed;
    }
    this.armed = true;
    this.armedS = 0;
    this.say('Arming motors');
    return RESULT.accepted;
  }

  #disarm(p2: number): Result {
    if (this.armed && this.landed !== 1 && p2 !== 21_196) return RESULT.failed;
    this.#stopMotors();
    return RESULT.accepted;
  }

  #stopMotors(): void {
    if (this.landed !== 1) this.crashed = true;
    this.disarm();
  }

  #version(): Fields {
    return {
      capabilities: CAPABILITIES,
      flight_sw_version: 0x04_08_00_00,
      vendor_id: 0,
      product_id: 0,
      uid: 0n,
      uid2: this.uid2,
    };
  }
}
