import { z } from 'zod';
import { type Config, parseHostPort } from '../../host/config.ts';
import { ask } from './ask.ts';
import { storedSensors, storedZones } from './data_checks.ts';
import { type Finding, ok, unknown, warning } from './finding.ts';

const rows = z.object({ data: z.array(z.looseObject({ name: z.string(), state: z.string().optional() })) });
type Row = z.infer<typeof rows>['data'][number];

const declareSensor = 'declare one under sensors: in the configuration or with POST /api/sensors; docs/use/sensors.md';
const drawZone = 'draw one around what you protect: POST /api/zones; docs/use/zones.md';

/** Checks that the site has zones and sensors, and that a running daemon receives data of the sensors. */
export async function checkSite(config: Config, running: boolean | null): Promise<Finding[]> {
  const beside = running ? await askBoth(config.http) : null;
  if (beside === 'refused') {
    return [unknown('sensors', 'the running daemon shows sensors and zones only to callers with a credential')];
  }
  const { dir } = config.data;
  // Each enabled link counts as one sensor.
  const declared = config.sensors.length + config.links.filter(({ enabled }) => enabled).length + storedSensors(dir);
  return [
    beside === null ? checkCount('sensor', declared, declareSensor) : checkSensors(beside.sensors),
    checkCount('zone', beside?.zones.length ?? storedZones(dir), drawZone),
  ];
}

function checkCount(noun: 'sensor' | 'zone', count: number, advice: string): Finding {
  if (count > 0) return ok(`${noun}s`, `${count} ${noun}${count === 1 ? '' : 's'}`);
  const lack =
    noun === 'sensor' ? 'no sensor is known: the picture stays empty' : 'no zone is drawn: nothing is protected';
  return warning(`${noun}s`, lack, advice);
}

function checkSensors(sensors: readonly Row[]): Finding {
  const dead = sensors.filter(({ state }) => ['silent', 'fault', 'unknown'].includes(state ?? ''));
  if (sensors.length === 0 || dead.length === 0) return checkCount('sensor', sensors.length, declareSensor);
  const names = dead.slice(0, 5).map(({ name, state }) => `${name} ${state}`);
  const text = `${dead.length} of ${sensors.length} sensors are silent, have a fault or are in the state unknown: ${names.join(', ')}`;
  return warning('sensors', text, 'GET /api/sensors lists the reasons; see docs/use/night_on_watch.md');
}

/**
 * Reads sensors and zones of the running daemon. Null if the port is 0, or if the daemon does not answer (another check
 * reports this). `refused` for an answer other than 200, such as the demand for a credential.
 */
async function askBoth({ listen, tls }: Config['http']): Promise<{ sensors: Row[]; zones: Row[] } | 'refused' | null> {
  const place = parseHostPort(listen);
  if (place === null || place.port === 0) return null;
  const paths = ['/api/sensors?limit=1000', '/api/zones?limit=1000'];
  const [sensors, zones] = await Promise.all(paths.map((path) => ask(place, tls !== null, path)));
  if (!sensors || !zones || 'failed' in sensors || 'failed' in zones) return null;
  if (sensors.status !== 200 || zones.status !== 200) return 'refused';
  return { sensors: rowsOf(sensors.body), zones: rowsOf(zones.body) };
}

function rowsOf(body: string): Row[] {
  try {
    return rows.parse(JSON.parse(body)).data;
  } catch {
    return [];
  }
}
