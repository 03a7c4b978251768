import type { Test } from 'tap';
import type { DecisionConfig } from '../../../src/model/decision_config.ts';
import type { Response } from '../../../src/model/doctrine.ts';
import type { Engagement, EngagementView, Plan } from '../../../src/model/engagement.ts';
import type { Place } from '../basics/place.ts';
import { placeAt } from '../basics/place.ts';
import { SiteAxes } from '../sky/site_axes.ts';
import { ArduCopter } from '../vehicles/arducopter.ts';
import { type Daemon, until } from './daemon.ts';
import { type FlightRig, startFlights } from './flights.ts';
import { picture } from './watch.ts';

const SITE = { lat: -35.363_262, lon: 149.165_237 };
const RADAR = placeAt(SITE, 180, 600);
const RADAR_HAE_M = 600;
const OVER_M = 45;

/** A box with a copter of ours that stands ready, and a radar that sees something hover where it should not. */
export class Threatened {
  readonly rig: FlightRig;
  readonly copter: ArduCopter;
  readonly assetId: string;
  readonly target: Place = placeAt(SITE, 0, 260);
  readonly #axes = new SiteAxes(RADAR.lat, RADAR.lon, RADAR_HAE_M);
  #radar: NodeJS.Timeout | null = null;

  private constructor(rig: FlightRig, copter: ArduCopter, assetId: string) {
    this.rig = rig;
    this.copter = copter;
    this.assetId = assetId;
  }

  static async begin(t: Test, engagement: Partial<DecisionConfig['engagement']> = {}): Promise<Threatened> {
    const rig = await startFlights(t);
    const { daemon } = rig;
    const copter = new ArduCopter({ groundStation: rig.groundStation, at: SITE });
    t.teardown(() => copter.stop());
    await copter.start();
    const assetId = await rig.adopt(copter, 'Heron');
    await rig.able(assetId, 'takeoff');
    const box = new Threatened(rig, copter, assetId);
    const placement = { ...RADAR, alt_hae_m: RADAR_HAE_M, max_range_m: 4_000 };
    await must(daemon, '/api/sensors', { name: 'hill', modality: 'radar', placement });
    const geometry = { type: 'Point', coordinates: [box.target.lon, box.target.lat], radius_m: 100 };
    await must(daemon, '/api/zones', { name: 'apron', kind: 'protected', geometry });
    await box.#decide((config) => ({
      posture: 'elevated',
      // Whatever is in the zone matters much.
      levels: { ...config.levels, low: 2, medium: 4, high: 6, critical: 95 },
      engagement: { ...config.engagement, ...engagement },
    }));
    await box.#watch(t);
    return box;
  }

  setPosture(posture: DecisionConfig['posture']): Promise<void> {
    return this.#decide(() => ({ posture }));
  }

  async #decide(change: (config: DecisionConfig) => Partial<DecisionConfig>): Promise<void> {
    const config = await this.daemon.get<DecisionConfig>('/api/decision-config');
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ ...config, ...change(config) });
    const { status, body: answer } = await this.daemon.request('/api/decision-config', {
      method: 'PUT',
      headers,
      body,
    });
    if (status !== 200) throw new Error(answer.error);
  }

  get daemon(): Daemon {
    return this.rig.daemon;
  }

  /** The radar sees nothing more. */
  blind(): void {
    if (this.#radar) clearInterval(this.#radar);
    this.#radar = null;
  }

  /** The plan of a response in what is proposed now, once it can be done. */
  planFor(response: Response): Promise<{ engagement: Engagement; plan: Plan }> {
    let seen: unknown = null;
    return until(
      async () => {
        const { engagements } = await this.daemon.get<EngagementView>('/api/engagement');
        seen = engagements[0]?.candidates.find((plan) => plan.response === response);
        for (const engagement of engagements) {
          const plan = engagement.candidates.find((one) => one.response === response && one.feasible);
          if (engagement.state === 'proposed' && plan) return { engagement, plan };
        }
        return null;
      },
      `a plan to ${response} can be done`,
      30_000,
    ).catch((thrown) => {
      throw new Error(`${(thrown as Error).message}; there is ${JSON.stringify(seen)}`);
    });
  }

  /** What an approval of a plan is told with, on a picture of this moment. */
  async approvalOf({ engagement, plan }: { engagement: Engagement; plan: Plan }) {
    const { seq } = await picture(this.daemon);
    return { engagement_id: engagement.id, plan_id: plan.id, hash: plan.hash, seq, reason: 'a test' };
  }

  async approve(found: { engagement: Engagement; plan: Plan }): Promise<Engagement> {
    return must(this.daemon, '/api/engagement/task', { ...(await this.approvalOf(found)), operator: 'anna' });
  }

  engagement(id: string): Promise<Engagement> {
    return this.daemon.get(`/api/engagement/${id}`);
  }

  /** Waits until an engagement is as it should be. */
  becomes(id: string, fits: (row: Engagement) => boolean, what: string, withinMs = 60_000): Promise<Engagement> {
    let last: Engagement | null = null;
    return until(
      async () => {
        last = await this.engagement(id);
        return fits(last) ? last : null;
      },
      what,
      withinMs,
    ).catch((thrown) => {
      const { state, reason, tasks } = last ?? {};
      throw new Error(`${(thrown as Error).message}; it is ${JSON.stringify({ state, reason, tasks })}`);
    });
  }

  async #watch(t: Test): Promise<void> {
    const row = await this.rig.row(({ asset_id }) => asset_id === this.assetId, 'it says where it is');
    const altHaeM = (row.position?.alt_hae_m ?? 0) + OVER_M;
    const { lat, lon } = this.target;
    const [azimuth_deg, elevation_deg, range_m] = this.#axes.polarFrom(
      [0, 0, 0],
      this.#axes.fromGeodetic(lat, lon, altHaeM),
    );
    const sigma = { range_m: 3, azimuth_deg: 0.2, elevation_deg: 0.2 };
    const plot = { sensor_id: 'hill', report: 'range_bearing', range_m, azimuth_deg, elevation_deg, sigma };
    const tell = (): void => void this.daemon.post('/api/ingest/obs', { obs: [plot] }).catch(() => {});
    this.#radar = setInterval(tell, 500);
    t.teardown(() => this.blind());
  }
}

/** The data of a POST that must be taken. */
export async function must<T>(daemon: Daemon, path: string, body: object): Promise<T> {
  const { status, body: answer } = await daemon.post(path, body);
  if (status !== 200) throw new Error(`${path}: ${status} ${answer.error}`);
  return answer.data as T;
}
