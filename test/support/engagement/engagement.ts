import { randomUUID } from 'node:crypto';
import type { ControlSettings } from '../../../src/command/authority.ts';
import type { Decider, EngagementDeps, PlanVehicle } from '../../../src/engagement/deps.ts';
import { Engagements } from '../../../src/engagement/engagements.ts';
import { sampleTrack } from '../../../src/http/openapi/samples.ts';
import { sampleThreat } from '../../../src/http/openapi/threat_samples.ts';
import type { Role } from '../../../src/model/actor.ts';
import type { DecisionPolicy } from '../../../src/model/decision_config.ts';
import { defaultPolicy } from '../../../src/model/decision_defaults.ts';
import type { DoctrineBody } from '../../../src/model/doctrine.ts';
import type { Engagement, Plan, PlanApproval, PlanLeg } from '../../../src/model/engagement.ts';
import type { FleetRow, Refusal } from '../../../src/model/fleet.ts';
import type { Autonomy, ThreatLevel } from '../../../src/model/posture.ts';
import type { Task } from '../../../src/model/task.ts';
import type { Threat } from '../../../src/model/threat.ts';
import { formatTime } from '../../../src/model/time.ts';
import type { Track } from '../../../src/model/track.ts';
import { kindsOf, type Verb, verbs } from '../../../src/model/verb.ts';
import { defaultDoctrine } from '../../../src/registry/doctrine/defaults.ts';
import { placeAt } from '../basics/place.ts';
import type { RegistryRig } from '../registry/registry.ts';

export const SITE = { lat: 48.21, lon: 16.37 };
const allVerbs = Object.keys(verbs) as Verb[];

/** A field in memory: what is seen, what flies, and a clock that is set by hand. */
export class Field {
  readonly vehicles = new Map<string, PlanVehicle>();
  readonly seen = new Map<string, Track>();
  readonly threats = new Map<string, Threat>();
  policy: DecisionPolicy = structuredClone(defaultPolicy);
  policyVersion = 1;
  doctrine: DoctrineBody = structuredClone(defaultDoctrine);
  doctrineVersion = 0;
  /** The roles of users who lost theirs: null for one who was removed. */
  readonly roles = new Map<string, Role | null>();
  control: ControlSettings = { enabled: true, openSurface: 'allow' };
  nowMs = 1_000_000;
  seqAgeMs: number | null = 0;
  refused = new Map<string, Refusal>();
  /** Error with which each cancellation of a task fails; null where it is carried out. */
  refusedCancel: Error | null = null;
  /** What stands against whoever is sent after another of the same plan. */
  refusedSecond: Refusal | null = null;
  /** Every task that was begun, and every one that was told to end. */
  readonly begun: { leg: PlanLeg; task: Task; atMs: number }[] = [];
  readonly cancelled: string[] = [];
  /** Those that were brought home. */
  readonly home: string[] = [];
  held = 0;
  /** What the next start throws. */
  failStart: Error | null = null;
  /** Waited for before each start answers. */
  beforeStart: () => Promise<void> = async () => {};
  readonly told: Engagement[] = [];
  readonly notes: { kind: string; text: string }[] = [];
  readonly troubles: unknown[] = [];
  autonomy: Autonomy | null = null;
  #onTask: (task: Task) => void = () => {};

  utcMs(): number {
    return Date.parse('2025-06-01T12:00:00.000Z') + this.nowMs;
  }

  /** Adopted, in the air, with a camera and everything advertised. */
  addVehicle(name: string, changes: Partial<FleetRow> = {}, azimuthDeg = 90, metres = 500): PlanVehicle {
    const place = placeAt(SITE, azimuthDeg, metres);
    const row: FleetRow = {
      ...{ key: name, aliases: [], asset_id: randomUUID(), name, adopted: true },
      ...{ connection: 'online', readiness: 'ready', autopilot: 'ardupilot', vehicle_type: 'multirotor' },
      ...{ sysid: 1, compid: 1, link_id: null, link_ids: [], mode: 'GUIDED', armed: true, landed: 'in_air' },
      position: { ...place, alt_hae_m: 300, alt_msl_m: null, alt_agl_m: null, height_takeoff_m: null },
      velocity: { speed_mps: 0, course_deg: null, climb_mps: 0 },
      home: { ...SITE, alt_msl_m: 200 },
      ...{ energy_pct: 80, endurance_s: 1_500, control: { owner: 'us' } },
      verbs: allVerbs.map((verb) => ({
        verb,
        available: true,
        reason: null,
        text: null,
        params: kindsOf(verb),
        limits: {},
      })),
      ...{ task_id: null, health: [], last_seen_at: null, provenance: 'live' },
      ...changes,
    };
    const performance = { cruise_speed_mps: 15, max_speed_mps: 20, climb_rate_mps: 5, link_range_m: 5_000 };
    const vehicle: PlanVehicle = {
      row,
      performance,
      payloads: [{ kind: 'camera_eo', range_m: 2_000 }],
      enduranceS: 1_500,
    };
    this.vehicles.set(row.asset_id ?? row.key, vehicle);
    return vehicle;
  }

  /** A verb that cannot be used now. */
  withhold(vehicle: PlanVehicle, verb: Verb, reason: Refusal['reason'], text: string): void {
    const found = vehicle.row.verbs.find((known) => known.verb === verb);
    if (found) Object.assign(found, { available: false, reason, text });
  }

  /** A track of a level, north of the site, heard now. */
  addTrack(level: ThreatLevel = 'high', changes: Partial<Track> = {}, azimuthDeg = 0, metres = 800): Track {
    const id = changes.id ?? randomUUID();
    const place = placeAt(SITE, azimuthDeg, metres);
    const track: Track = {
      ...sampleTrack,
      ...{ id, number: `T-${String(this.seen.size + 42).padStart(4, '0')}` },
      position: { ...place, alt_hae_m: 300, alt_msl_m: null, alt_agl_m: null, height_takeoff_m: null },
      velocity: { speed_mps: 0, course_deg: 0, climb_mps: 0 },
      last_seen_at: formatTime(this.utcMs()),
      ...changes,
    };
    this.seen.set(id, track);
    const score = { none: 0, low: 25, medium: 45, high: 65, critical: 90 }[level];
    this.threats.set(id, { ...sampleThreat, track_id: id, level, score, dismissed: null, cpa: null });
    return track;
  }

  /** Everything is heard again. */
  hear(): void {
    for (const [id, track] of this.seen) this.seen.set(id, { ...track, last_seen_at: formatTime(this.utcMs()) });
  }

  pass(seconds: number): void {
    this.nowMs += seconds * 1_000;
    this.hear();
  }

  change(taskId: string, to: Partial<Task>): void {
    const begun = this.begun.find(({ task }) => task.id === taskId);
    if (!begun) throw new Error(`no task ${taskId}`);
    begun.task = { ...begun.task, ...to };
    this.#onTask(begun.task);
  }

  deps({ state, ledger, workspaceId }: Pick<RegistryRig, 'state' | 'ledger' | 'workspaceId'>): EngagementDeps {
    return {
      ...{ state, ledger, workspaceId, control: this.control },
      fleet: () => [...this.vehicles.values()],
      tracks: () => [...this.seen.values()],
      track: (id) => this.seen.get(id),
      threats: () => [...this.threats.values()],
      threat: (id) => this.threats.get(id),
      roleOf: (userId) => {
        const role = this.roles.get(userId);
        return role === undefined ? 'owner' : role;
      },
      policy: () => ({ policy: this.policy, version: this.policyVersion }),
      doctrine: () => ({ body: this.doctrine, version: this.doctrineVersion }),
      nowMs: () => this.nowMs,
      utcMs: () => this.utcMs(),
      pictureSeqAgeMs: () => this.seqAgeMs,
      check: (leg, _liftoff, before) =>
        this.refused.get(leg.asset_id) ?? (before.length > 0 ? this.refusedSecond : null),
      energy: () => null,
      risks: () => [],
      tasks: {
        start: (leg, { engagementId }) => this.#start(leg, engagementId),
        cancel: async (id, reason) => {
          if (this.refusedCancel) throw this.refusedCancel;
          this.cancelled.push(id);
          this.change(id, { state: 'cancelled', phase: 'over', reason });
        },
        comeHome: (assetId) => void this.home.push(assetId),
        onChange: (listener) => {
          this.#onTask = listener;
        },
        ofCamera: (assetId) => {
          const tasks = this.begun.map(({ task }) => task);
          return tasks.findLast((task) => task.asset_id === assetId && isLooking(task)) ?? null;
        },
      },
      holdAll: async () => {
        this.held++;
        return [...this.vehicles.keys()].map((asset_id) => ({ asset_id, held: true, text: null }));
      },
      publish: {
        engagement: (row) => void this.told.push(row),
        autonomy: (effective) => {
          this.autonomy = effective;
        },
        note: (kind, _severity, text) => void this.notes.push({ kind, text }),
      },
      trouble: (thrown) => void this.troubles.push(thrown),
    };
  }

  async #start(leg: PlanLeg, engagementId: string): Promise<Task> {
    await this.beforeStart();
    if (this.failStart) throw this.failStart;
    const at = formatTime(this.utcMs());
    const task: Task = {
      ...{ id: randomUUID(), engagement_id: engagementId, command_id: null, asset_id: leg.asset_id, verb: leg.verb },
      ...{ params: leg.params, state: 'executing', phase: 'going', progress: null, eta_s: leg.eta_s },
      ...{ distance_m: null, closest_m: null, breaches: 0, started_at: at, ended_at: null, result: null, reason: null },
      provenance: 'live',
    };
    this.begun.push({ leg, task, atMs: this.nowMs });
    return task;
  }
}

function isLooking({ verb, phase }: Task): boolean {
  return verb === 'look_at' && phase !== 'over';
}

/** Engagements over a field, and the field. */
export function engagementsOver(rig: RegistryRig, field: Field = new Field()): Engagements {
  const engagements = new Engagements(field.deps(rig));
  engagements.begin();
  return engagements;
}

export function somebody(name: string, role: Role = 'operator', changes: Partial<Decider> = {}): Decider {
  const actor = { type: 'user', id: name, name, address: null } as const;
  return { actor, role, userId: name, isKey: false, ...changes };
}

export const onOpenSurface: Decider = {
  actor: { type: 'open', id: '10.0.0.7', name: '10.0.0.7', address: '10.0.0.7' },
  ...{ role: 'owner', userId: null, isKey: false },
};

/** The proposal about a track that people are asked about. */
export function proposalOf(engagements: Engagements, trackId: string): Engagement {
  const found = engagements.open().find(({ track_id, state }) => track_id === trackId && state === 'proposed');
  if (!found) throw new Error('nothing is proposed');
  return found;
}

export function planFor({ candidates }: Engagement, response: Plan['response']): Plan {
  const found = candidates.find((plan) => plan.response === response);
  if (!found) throw new Error(`no plan to ${response}`);
  return found;
}

export function approvalOf({ id }: Engagement, { id: plan_id, hash }: Plan): PlanApproval {
  return { engagement_id: id, plan_id, hash, seq: 1, reason: 'a test' };
}
