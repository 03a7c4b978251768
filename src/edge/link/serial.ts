import { realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Fault, sentenceOf } from '../../model/fault.ts';
import type { LinkSpec } from '../../model/link.ts';
import { type SerialAddress, serialAddress, unstableNameWarning } from './address.ts';
import type { Release } from './claims.ts';
import { explain } from './explain.ts';
import type { Port, PortEvents, Way } from './port.ts';
import type { FullRim, Roots } from './rim.ts';
import { createStreamWriter, type StreamWriter } from './stream_writer.ts';
import { openTty, type Tty } from './tty.ts';
import { createTurnBudget } from './turn_budget.ts';
import { findUsbTty } from './usb.ts';

/** A serial device, found again by its name at every opening, whatever number the kernel gave it this time. */
export function serialWay(spec: LinkSpec, rim: FullRim): Way {
  const address = serialAddress(spec);
  return {
    port: (events) => new SerialPortOnce(spec, address, events, rim),
    claim: () => claimName(spec, address, rim),
    onSilence: 'reopen',
    carrier: 'open',
    warning: unstableNameWarning(spec),
  };
}

/** Holds the name as it is written; the device itself is held while it is open, since names move between devices. */
function claimName(spec: LinkSpec, address: SerialAddress, rim: FullRim): Release {
  const device = currentDevice(address, rim.roots);
  if (device !== null) rim.claims.checkDevice(device);
  return rim.claims.takeDevice(`the name ${spec.address}`, spec.name);
}

function currentDevice(address: SerialAddress, roots: Roots): string | null {
  try {
    return locate(address, roots);
  } catch {
    return null;
  }
}

/** The real path of the device now; throws an Error that says what is missing. */
function locate(address: SerialAddress, roots: Roots): string {
  const path =
    address.by === 'path'
      ? address.path
      : join(roots.dev, findUsbTty(roots.sys, address.vendor, address.product, address.serial));
  try {
    const device = realpathSync(path);
    if (statSync(device).isCharacterDevice()) return device;
  } catch (thrown) {
    throw new Error(explain(path, thrown));
  }
  throw new Fault('invalid_input', `${path} is not a serial device`);
}

class SerialPortOnce implements Port {
  readonly #spec: LinkSpec;
  readonly #address: SerialAddress;
  readonly #events: PortEvents;
  readonly #rim: FullRim;
  #opening: Promise<Tty> | null = null;
  #release: Release | null = null;
  #writer: StreamWriter | null = null;
  #closed = false;

  constructor(spec: LinkSpec, address: SerialAddress, events: PortEvents, rim: FullRim) {
    this.#spec = spec;
    this.#address = address;
    this.#events = events;
    this.#rim = rim;
  }

  async open(): Promise<string> {
    const device = locate(this.#address, this.#rim.roots);
    this.#release = this.#rim.claims.takeDevice(device, this.#spec.name);
    this.#opening = openTty(device, this.#spec.baud);
    const { stream } = await this.#opening.catch((thrown) => {
      throw openingError(device, thrown);
    });
    if (this.#closed) throw new Error(`${device} was closed while it opened`);
    this.#writer = createStreamWriter(stream, device, this.#rim.timers);
    stream.on('error', (error) => this.#events.lost(explain(device, error)));
    stream.on('end', () => this.#events.lost(`${device} hung up`));
    stream.on('close', () => this.#events.lost(`${device} closed`));
    createTurnBudget().read(stream, (bytes) => this.#events.bytes(bytes, ''));
    return device;
  }

  async close(fault: boolean): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    const tty = await this.#opening?.catch(() => null);
    if (tty) {
      await tty.close(fault);
      this.#events.gone('');
    }
    this.#release?.();
  }

  async write(bytes: Uint8Array): Promise<number> {
    if (!this.#writer) throw new Fault('conflict', 'the device is not open');
    return this.#writer.write(bytes);
  }
}

function openingError(device: string, thrown: unknown): unknown {
  if (thrown instanceof Fault) return thrown;
  const said = sentenceOf(thrown);
  if (said.includes('Cannot lock port')) return new Fault('conflict', `${device} is in use by another program`);
  if (said.includes('Inappropriate ioctl')) return new Fault('invalid_input', `${device} is not a serial device`);
  if (said.includes('Permission denied'))
    return new Error(
      `${device} may not be opened by this program: permission denied (is its user in the group dialout?)`,
    );
  return new Error(explain(device, thrown));
}
