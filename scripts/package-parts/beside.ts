import { type Arch, archs } from './arch.ts';

/** Packages beside the bundle, with the files of them that the daemon loads. */
export const beside: Record<string, (arch: Arch) => readonly string[]> = {
  'better-sqlite3': () => ['package.json', 'LICENSE', 'lib'],
  bindings: () => ['package.json', 'LICENSE.md', 'bindings.js'],
  'file-uri-to-path': () => ['package.json', 'LICENSE', 'index.js'],
  '@serialport/bindings-cpp': (arch) => ['package.json', 'LICENSE', 'dist', `prebuilds/linux-${archs[arch].node}`],
  '@serialport/bindings-interface': () => ['package.json', 'LICENSE', 'dist'],
  '@serialport/parser-readline': () => ['package.json', 'LICENSE', 'dist'],
  '@serialport/parser-delimiter': () => ['package.json', 'LICENSE', 'dist'],
  debug: () => ['package.json', 'LICENSE', 'src'],
  ms: () => ['package.json', 'license.md', 'index.js'],
  'node-gyp-build': () => ['package.json', 'LICENSE', 'index.js', 'node-gyp-build.js'],
  'swagger-ui-dist': () => ['package.json', 'LICENSE', 'NOTICE', 'swagger-ui.css', 'swagger-ui-bundle.js'],
};
