import { execFile } from 'node:child_process';
import { builtNative } from './built_native.ts';

export type Request = readonly [name: string, ...numbers: number[]];
/** Asks the native code everything at once: the numbers that came out, request by request. */
export type Probe = (requests: readonly Request[]) => Promise<number[][]>;

/** Builds the probe, where a source is newer than it. */
export async function nativeProbe(): Promise<Probe> {
  const binary = await builtNative('reference_probe', []);
  return (requests) =>
    new Promise((told, failed) => {
      const child = execFile(binary, { maxBuffer: 1 << 28 }, (error, stdout, stderr) => {
        if (error) return failed(new Error(`The probe gave up: ${stderr || error.message}`));
        told(
          stdout
            .trimEnd()
            .split('\n')
            .map((line) => line.trim().split(' ').map(Number)),
        );
      });
      child.stdin?.end(requests.map((request) => `${request.join(' ')}\n`).join(''));
    });
}
