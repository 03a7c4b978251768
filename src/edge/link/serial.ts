import { realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Fault, sentenceOf } from '../../model/fault.ts';
import type { LinkSpec } from '../../model/link.ts';
import { type SerialAddress, serialAddress, unstableNameWarning } from './address.ts';
import type { Release } from './claims.ts';
import type { FullDeps, Roots } from './deps.ts';
import { explain } from './explain.ts';
import type { Port, PortEvents, Transport } from './port.ts';
import { createStreamWriter, type StreamWriter } from './stream_writer.ts';
import { openTty, type Tty } from './tty.ts';
import { createTurnBudget } from './turn_budget.ts';
import { findUsbTty } from './usb.ts';

/** A serial device, found again by its name at every opening, whatever number the kernel gave it this time. */
export function serialTransport(spec: LinkSpec, deps: FullDeps): Transport {
  const address = serialAddress(spec);
  return {
    port: (events) => serialPort(spec, address, events, deps),
    claim: () => claimName(spec, address, deps),
    onSilence: 'reopen',
    carrier: 'open',
    warning: unstableNameWarning(spec),
  };
}

/** Holds the name as it is written; the device itself is held while it is open, since names move between devices. */
function claimName(spec: LinkSpec, address: SerialAddress, deps: FullDeps): Release {
  const device = currentDevice(address, deps.roots);
  if (device !== null) deps.claims.checkDevice(device);
  return deps.claims.takeDevice(`the name ${spec.address}`, spec.name);
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

function serialPort(spec: LinkSpec, address: SerialAddress, events: PortEvents, deps: FullDeps): Port {
  let opening: Promise<Tty> | null = null;
  let release: Release | null = null;
  let writer: StreamWriter | null = null;
  let closed = false;
  return {
    async open() {
      const device = locate(address, deps.roots);
      release = deps.claims.takeDevice(device, spec.name);
      opening = openTty(device, spec.baud);
      const { stream } = await opening.catch((thrown) => {
        throw openingError(device, thrown);
      });
      if (closed) throw new Error(`${device} was closed while it opened`);
      writer = createStreamWriter(stream, device, deps.timers);
      stream.on('error', (error) => events.lost(explain(device, error)));
      stream.on('end', () => events.lost(`${device} hung up`));
      stream.on('close', () => events.lost(`${device} closed`));
      createTurnBudget().read(stream, (bytes) => events.bytes(bytes, ''));
      return device;
    },
    async close(fault) {
      if (closed) return;
      closed = true;
      const tty = await opening?.catch(() => null);
      if (tty) {
        await tty.close(fault);
        events.gone('');
      }
      release?.();
    },
    async write(bytes) {
      if (!writer) throw new Fault('conflict', 'the device is not open');
      return writer.write(bytes);
    },
  };
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
