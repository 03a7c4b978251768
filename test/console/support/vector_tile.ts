/** A feature of a made tile: its points in units of the tile (0 to 4096), and its properties. */
export type MadeFeature = {
  type: 'point' | 'line' | 'polygon';
  points: [number, number][];
  tags: Record<string, string>;
};

const EXTENT = 4_096;
const typeNumbers = { point: 1, line: 2, polygon: 3 } as const;

/** A tile of the Mapbox Vector Tile specification 2.1, uncompressed: layers by their names. */
export function vectorTile(layers: Readonly<Record<string, readonly MadeFeature[]>>): Buffer {
  return Buffer.concat(Object.entries(layers).map(([name, features]) => field(3, layer(name, features))));
}

function layer(name: string, features: readonly MadeFeature[]): Buffer {
  const keys = [...new Set(features.flatMap(({ tags }) => Object.keys(tags)))];
  const values = [...new Set(features.flatMap(({ tags }) => Object.values(tags)))];
  return Buffer.concat([
    Buffer.from([(15 << 3) | 0, 2]),
    field(1, Buffer.from(name)),
    ...features.map((feature) => field(2, featureOf(feature, keys, values))),
    ...keys.map((key) => field(3, Buffer.from(key))),
    ...values.map((value) => field(4, field(1, Buffer.from(value)))),
    Buffer.from([(5 << 3) | 0, ...varint(EXTENT)]),
  ]);
}

function featureOf({ type, points, tags }: MadeFeature, keys: string[], values: string[]): Buffer {
  const pairs = Object.entries(tags).flatMap(([key, value]) => [keys.indexOf(key), values.indexOf(value)]);
  return Buffer.concat([
    field(2, Buffer.from(pairs.flatMap(varint))),
    Buffer.from([(3 << 3) | 0, typeNumbers[type]]),
    field(4, Buffer.from(geometry(type, points).flatMap(varint))),
  ]);
}

/** Commands MoveTo, LineTo and ClosePath with zigzag-coded steps. */
function geometry(type: MadeFeature['type'], points: readonly [number, number][]): number[] {
  let [beforeX, beforeY] = [0, 0];
  const steps = points.map(([x, y]) => {
    const step = [zigzag(x - beforeX), zigzag(y - beforeY)];
    [beforeX, beforeY] = [x, y];
    return step;
  });
  const command = (id: number, count: number): number => (count << 3) | id;
  const [first = [0, 0], ...others] = steps;
  const lines = others.length === 0 ? [] : [command(2, others.length), ...others.flat()];
  return [command(1, 1), ...first, ...lines, ...(type === 'polygon' ? [command(7, 1)] : [])];
}

const zigzag = (value: number): number => (value << 1) ^ (value >> 31);

function field(number: number, bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from([(number << 3) | 2, ...varint(bytes.length)]), bytes]);
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value >>> 0;
  for (; rest >= 0x80; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  return [...bytes, rest];
}
