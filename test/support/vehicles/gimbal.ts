import { acknowledgement, CMD, type Command, commandOf, RESULT, type Result } from './command.ts';
import { offset } from './flight.ts';
import type { Fields, Heard } from './messages.ts';
import type { Component, Vehicle } from './vehicle.ts';

type Party = { sysid: number; compid: number };
const NOBODY: Party = { sysid: 0, compid: 0 };
const CAN_ROI = 0x20_0000;
const CAN_POINT = 0x1_0000 | 0x2 | 0x8 | 0x20 | 0x40 | 0x100;

abstract class Part implements Component {
  /** Who answers. */
  abstract readonly compid: number;
  /** Who beats. */
  protected abstract readonly device: number;
  protected abstract readonly type: number;
  protected readonly vehicle: Vehicle;
  #sinceS = 0;

  constructor(vehicle: Vehicle) {
    this.vehicle = vehicle;
    vehicle.attach(this);
  }

  protected abstract message(name: string): Fields | null;
  protected abstract perform(command: Command): Result;
  protected abstract readonly messages: Record<number, string>;
  protected abstract tick(dtS: number): void;

  take(heard: Heard): boolean {
    const command = commandOf(heard);
    if (command === null) return false;
    const name = this.messages[command.p[0]];
    const isRequest = command.id === CMD.requestMessage;
    const result = !isRequest ? this.perform(command) : name === undefined ? RESULT.failed : RESULT.accepted;
    // What was meant for all, or for an autopilot that is more than this, is not refused by one that does not know it.
    const isOwn = this.compid === this.device && heard.fields.target_component !== 0;
    const isUnknown = result === RESULT.unsupported || (isRequest && name === undefined);
    if (isUnknown && !isOwn) return false;
    this.send('COMMAND_ACK', acknowledgement(command, result));
    if (isRequest && name !== undefined) this.send(name, this.message(name) ?? {});
    return true;
  }

  step(dtS: number): void {
    const before = this.#sinceS;
    this.#sinceS += dtS;
    if (Math.floor(before) !== Math.floor(this.#sinceS)) {
      const beat = { type: this.type, autopilot: 8, system_status: 4, mavlink_version: 3 };
      this.vehicle.send('HEARTBEAT', beat, this.device);
    }
    this.tick(dtS);
  }

  protected send(name: string, fields: Fields): void {
    this.vehicle.send(name, fields, this.compid);
  }

  protected get bootMs(): number {
    return Math.round(this.vehicle.bootS * 1_000);
  }
}

/** A gimbal and its manager: who it obeys it tells all the time, and who has not taken control it refuses. */
export class Gimbal extends Part {
  readonly compid: number;
  protected readonly device = 154;
  protected readonly type = 26;
  protected readonly messages = { 280: 'GIMBAL_MANAGER_INFORMATION', 281: 'GIMBAL_MANAGER_STATUS' };
  primary: Party = NOBODY;
  pitchDeg = 0;
  yawDeg = 0;
  /** The place it is turned to, if it is. */
  roi: { lat: number; lon: number; altM: number } | null = null;
  #statusS = 0;

  /** The manager is a part of the gimbal here, or of the autopilot as it is in the usual stacks. */
  constructor(vehicle: Vehicle, options: { manager?: 'gimbal' | 'autopilot' } = {}) {
    super(vehicle);
    this.compid = options.manager === 'autopilot' ? vehicle.compid : this.device;
  }

  /** Another station, or the pilot, takes it. */
  takenBy(party: Party): void {
    this.primary = party;
  }

  protected message(name: string): Fields | null {
    if (name === 'GIMBAL_MANAGER_STATUS') return this.#status();
    return {
      time_boot_ms: this.bootMs,
      cap_flags: CAN_ROI + CAN_POINT,
      gimbal_device_id: this.device,
      roll_min: 0,
      roll_max: 0,
      pitch_min: -Math.PI / 2,
      pitch_max: Math.PI / 6,
      yaw_min: -Math.PI,
      yaw_max: Math.PI,
    };
  }

  protected perform(command: Command): Result {
    const [p1, p2] = command.p;
    if (command.id === CMD.gimbalConfigure) return this.#configure(command, p1, p2);
    if (command.id !== CMD.gimbalPitchYaw && command.id !== CMD.roiLocation) return RESULT.unsupported;
    if (!isSame(command.from, this.primary)) return RESULT.denied;
    if (command.id === CMD.roiLocation) {
      const { lat, lon, alt } = command;
      this.roi = { lat, lon, altM: command.frame === 0 || command.frame === 5 ? alt - this.vehicle.groundAmslM : alt };
      return RESULT.accepted;
    }
    this.roi = null;
    if (!Number.isNaN(p1)) this.pitchDeg = Math.max(-90, Math.min(30, p1));
    if (!Number.isNaN(p2)) this.yawDeg = p2;
    return RESULT.accepted;
  }

  protected tick(dtS: number): void {
    this.#follow();
    this.#statusS += dtS;
    if (this.#statusS < 0.2) return;
    this.#statusS -= 0.2;
    this.send('GIMBAL_MANAGER_STATUS', this.#status());
  }

  /** -1 leaves it as it is, -2 is whoever asks, -3 gives it back. */
  #configure(command: Command, sysid: number, compid: number): Result {
    if (sysid === -2) this.primary = command.from;
    else if (sysid === -3 && isSame(command.from, this.primary)) this.primary = NOBODY;
    else if (sysid >= 0) this.primary = { sysid, compid };
    return RESULT.accepted;
  }

  #follow(): void {
    if (this.roi === null) return;
    const { body } = this.vehicle;
    const { north, east } = offset(body, this.roi);
    this.yawDeg = ((Math.atan2(east, north) * 180) / Math.PI + 360) % 360;
    this.pitchDeg = (Math.atan2(this.roi.altM - body.altM, Math.hypot(north, east)) * 180) / Math.PI;
  }

  #status(): Fields {
    return {
      time_boot_ms: this.bootMs,
      flags: 12,
      gimbal_device_id: this.device,
      primary_control_sysid: this.primary.sysid,
      primary_control_compid: this.primary.compid,
    };
  }
}

/** A camera that zooms, takes images and records. */
export class Camera extends Part {
  readonly compid = 100;
  protected readonly device = 100;
  protected readonly type = 30;
  protected readonly messages = { 259: 'CAMERA_INFORMATION', 260: 'CAMERA_SETTINGS', 262: 'CAMERA_CAPTURE_STATUS' };
  zoom = 0;
  images = 0;
  isRecording = false;

  protected message(name: string): Fields | null {
    const time_boot_ms = this.bootMs;
    if (name === 'CAMERA_SETTINGS') return { time_boot_ms, mode_id: 0, zoomLevel: this.zoom };
    if (name === 'CAMERA_CAPTURE_STATUS') {
      return { time_boot_ms, video_status: this.isRecording ? 1 : 0, image_count: this.images };
    }
    const text = (value: string) => [...Buffer.from(value.padEnd(32, '\0'), 'ascii')];
    // Video, image and zoom.
    const flags = 1 | 2 | 64;
    return { time_boot_ms, vendor_name: text('Emulated'), model_name: text('Eye'), flags };
  }

  protected perform(command: Command): Result {
    switch (command.id) {
      case CMD.setZoom:
        this.zoom = command.p[1];
        return RESULT.accepted;
      case CMD.imageStart:
        this.images += 1;
        this.send('CAMERA_IMAGE_CAPTURED', {
          time_boot_ms: this.bootMs,
          image_index: this.images - 1,
          capture_result: 1,
        });
        return RESULT.accepted;
      case CMD.videoStart:
        if (this.isRecording) return RESULT.temporarilyRejected;
        this.isRecording = true;
        return RESULT.accepted;
      case CMD.videoStop:
        this.isRecording = false;
        return RESULT.accepted;
      default:
        return RESULT.unsupported;
    }
  }

  protected tick(): void {}
}

function isSame(a: Party, b: Party): boolean {
  return a.sysid === b.sysid && a.compid === b.compid;
}
