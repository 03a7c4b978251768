import { SerialPort } from 'serialport';
import { Fault } from '../../model/fault.ts';
import type { Target } from './target.ts';

/** Writes frames to a serial port (8N1); a frame has left when the driver has sent it. */
export async function openSerialTarget(path: string, baud: number): Promise<Target> {
  const port = new SerialPort({ path, baudRate: baud, autoOpen: false });
  await new Promise<void>((resolve, reject) => {
    port.open((thrown) => {
      if (!thrown) resolve();
      else reject(new Fault('unavailable', `cannot open serial port ${path}: ${thrown.message}`, { cause: thrown }));
    });
  });
  let broken: Fault | null = null;
  const breakWith = (why: string): Fault => {
    broken ??= new Fault('unavailable', `serial port ${path} failed: ${why}`);
    return broken;
  };
  port.on('error', (thrown: Error) => breakWith(thrown.message));
  port.on('close', () => breakWith('it was closed or unplugged'));
  // Nobody reads what comes back; without this the driver's buffer would fill.
  port.resume();
  return {
    send: (bytes) =>
      new Promise((resolve, reject) => {
        if (broken !== null) return reject(broken);
        const onClose = (): void => reject(breakWith('it was closed or unplugged'));
        const settle = (thrown?: Error | null): void => {
          port.off('close', onClose);
          if (thrown) reject(breakWith(thrown.message));
          else resolve();
        };
        port.once('close', onClose);
        port.write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), (thrown) => {
          if (thrown) settle(thrown);
          else port.drain(settle);
        });
      }),
    close: () => new Promise((resolve) => (port.isOpen ? port.close(() => resolve()) : resolve())),
  };
}
