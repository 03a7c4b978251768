import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** libfaketime takes the wall clock's offset from a file, read at each call, and leaves the monotonic clock alone. */
const libraries = ['x86_64-linux-gnu', 'aarch64-linux-gnu', 'arm-linux-gnueabihf'].map(
  (machine) => `/usr/lib/${machine}/faketime/libfaketimeMT.so.1`,
);
const library = libraries.find((path) => existsSync(path));

/** A reason to skip where no clock can be stepped, else false. */
export function noFakeClock(): string | false {
  return library === undefined ? 'libfaketime (Debian package faketime) is not installed: no clock to step' : false;
}

/** The environment of a daemon whose wall clock is off by an offset, and a way to set that. */
export function fakeClock(folder: string) {
  const path = join(folder, 'offset');
  const setMs = (ms: number): void => writeFileSync(path, `${ms < 0 ? '' : '+'}${ms / 1_000}`);
  setMs(0);
  const env = {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: path,
    FAKETIME_NO_CACHE: '1',
    DONT_FAKE_MONOTONIC: '1',
  };
  return { env, setMs };
}
