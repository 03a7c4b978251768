import type { TileType } from '../model/base_map.ts';

export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/** Returns the type of an image by its first bytes; null if it is no PNG, JPEG, WebP or AVIF image. */
export function imageTypeOf(bytes: Buffer): TileType | null {
  if (bytes.toString('latin1', 0, 4) === '\x89PNG') return 'png';
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return 'jpeg';
  if (bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP') return 'webp';
  return bytes.toString('latin1', 4, 12) === 'ftypavif' ? 'avif' : null;
}
