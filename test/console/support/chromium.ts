import { existsSync } from 'node:fs';

/** The browser of Debian. */
export const executablePath = '/usr/bin/chromium';

/** Why pages cannot be tested here; false where they can. */
export const noBrowser = existsSync(executablePath) ? false : 'chromium is not installed';

/** Nothing is asked of the network, and canvases are drawn by the processor: the machine has no graphics card. */
export const chromiumFlags = [
  ...['--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  ...['--disable-component-update', '--disable-sync', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
  ...['--disable-gpu-compositing', '--disable-gpu-rasterization', '--disable-accelerated-2d-canvas'],
];
