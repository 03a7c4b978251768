/** Architectures of the package by their names in Debian. */
export type Arch = 'amd64' | 'arm64';

/** Names of an architecture in Node.js, and the prefix of its tools. */
export const archs: Record<Arch, { node: string; tools: string }> = {
  amd64: { node: 'x64', tools: process.arch === 'x64' ? '' : 'x86_64-linux-gnu-' },
  arm64: { node: 'arm64', tools: process.arch === 'arm64' ? '' : 'aarch64-linux-gnu-' },
};
