import { randomUUID } from 'node:crypto';
import { ownerOf } from '../../fleet/available.ts';
import type { Vehicle } from '../../fleet/vehicle.ts';
import type { AssetCommand, Command } from '../../model/command.ts';
import { conflict, Fault, invalidInput, notFound, sentenceOf } from '../../model/fault.ts';
import {
  type CommandParams,
  heights,
  identifyingFields,
  kindsOf,
  type Verb,
  type VerbFields,
  verbNames,
  verbs,
} from '../../model/verb.ts';
import { requireMay } from '../authority.ts';
import type { Ask, ControlDeps } from '../deps.ts';
import type { CommandLog } from './command_log.ts';
import { CommandPace, type Lane, laneOf } from './pace.ts';
import { refusalOf } from './refusal.ts';

const EXPIRES_MS = 10_000;
/** Longest time that a command may wait to be sent, ms. */
const LONGEST_MS = 3_600_000;

type Named = { id: string; name: string };

/** A command that passed all checks and may start now. */
export type Admitted = {
  verb: Verb;
  params: CommandParams;
  asset: Named;
  vehicle: Vehicle;
  expiresMs: number;
  commandId: string;
};

/** Decides whether a command may start. Refusals because of permission, verb, vehicle or safety are recorded. */
export class Admission {
  readonly #deps: ControlDeps;
  readonly #log: CommandLog;
  readonly #pace = new CommandPace();
  /** Returns true if a command of ours moves the asset now. */
  readonly #isMoved: (assetId: string) => boolean;

  constructor(deps: ControlDeps, log: CommandLog, isMoved: (assetId: string) => boolean) {
    this.#deps = deps;
    this.#log = log;
    this.#isMoved = isMoved;
  }

  /**
   * Checks a command to an asset. `reference`: the asset's uuid or a name of its vehicle. `urgent`: a stop that skips
   * the check of permission and the rate of commands. An earlier command with the same id and content is returned as
   * `before`. Throws a Fault if the command is refused.
   */
  admit(reference: string, body: AssetCommand, ask: Ask, urgent?: 'stop'): Admitted | { before: Command } {
    if (!this.#deps.control.enabled) {
      throw new Fault('not_built', 'this box does not command vehicles: the setting control.enabled is false');
    }
    const { asset, vehicle } = this.#find(reference);
    // An urgent command stops everything or ends a task. Its permission was checked before.
    if (urgent === undefined) this.requireMay(asset, body, ask);
    const params: CommandParams = body.params ?? { kind: 'none' };
    const before = body.command_id === undefined ? null : this.#repeated(body.command_id, asset.id, body.verb, params);
    if (before) return { before };
    const isPaced = urgent === undefined && ask.engagementId === null && ask.by.type !== 'system';
    if (isPaced) this.#requirePace(asset, laneOf(body.verb), ask);
    const verb = this.#advertised(body.verb, asset, vehicle, ask);
    checkParams(verb, params);
    const expiresMs = this.#expiry(body.expires_at);
    if (vehicle === null)
      throw this.#refusal(
        verb,
        asset,
        ask,
        `${verb} is not available on ${asset.name}: no received vehicle is bound to this asset`,
      );
    const refusal = refusalOf(this.#deps, verb, params, asset, vehicle);
    if (refusal) throw this.#refusal(verb, asset, ask, refusal.text);
    if (isPaced) this.#pace.count(ask.by, asset, laneOf(verb), this.#deps.nowMs());
    return { verb, params, asset, vehicle, expiresMs, commandId: body.command_id ?? randomUUID() };
  }

  /**
   * Refuses callers whose credential may not command, and records the refusal. Commands of an engagement skip this
   * check: their permission is the approval of the plan, or the confirmed autonomy `observe_auto`.
   */
  requireMay(asset: Named, body: AssetCommand, ask: Ask): void {
    if (ask.engagementId !== null) return;
    try {
      requireMay({ actor: ask.by, key: ask.key }, body, this.#deps.control, this.#isOurs(asset.id));
    } catch (thrown) {
      this.#noteRefusal(body.verb, asset, ask, sentenceOf(thrown));
      throw thrown;
    }
  }

  /**
   * True if the vehicle flies under our own order: a command of ours moves it, or it flies in a mode that we ordered.
   */
  #isOurs(assetId: string): boolean {
    if (this.#isMoved(assetId)) return true;
    const { fleet } = this.#deps;
    const vehicle = fleet.vehicleOf(assetId);
    return vehicle !== null && ownerOf(vehicle, fleet.standing(vehicle).otherStation) === 'us';
  }

  #requirePace(asset: Named, lane: Lane, { by }: Ask): void {
    const { commands_per_asset_per_s: allowedPerS } = this.#deps.policy().limits;
    this.#pace.require(by, asset, lane, allowedPerS, this.#deps.nowMs());
  }

  #find(reference: string): { asset: Named; vehicle: Vehicle | null } {
    const { fleet } = this.#deps;
    const id = this.#deps.simulatedVehicleId(reference) ?? reference;
    const vehicle = fleet.vehicleOf(id);
    const bound = vehicle ? fleet.assetOf(vehicle) : null;
    const asset = bound ?? this.#deps.asset(id);
    if (asset) return { asset: { id: asset.id, name: asset.name }, vehicle };
    if (vehicle) {
      const { name } = fleet.standing(vehicle);
      const sentence = `no verb is available on ${name}: it is not adopted; bind ${vehicle.key ?? reference} to an asset first`;
      throw conflict(sentence);
    }
    throw notFound(
      `there is no asset, vehicle or simulated vehicle with the id ${reference} in the world that is shown`,
    );
  }

  /**
   * Returns the earlier command with this id; null if there is none. Throws if that command has another content. The id
   * is an idempotency key: a repeated request has no second effect.
   */
  #repeated(commandId: string, assetId: string, verb: string, params: CommandParams): Command | null {
    const before = this.#log.get(commandId);
    if (!before) return null;
    const isSame = before.asset_id === assetId && before.verb === verb && sameParams(before.params, params);
    if (isSame) return before;
    throw conflict(`the command_id ${commandId} was used for another command: send a new command_id`);
  }

  #advertised(verb: string, asset: Named, vehicle: Vehicle | null, ask: Ask): Verb {
    const known = verbNames.find((name) => name === verb);
    const isOffered = known !== undefined && vehicle !== null && this.#deps.fleet.advertised(vehicle).includes(known);
    if (isOffered) return known;
    const why = vehicle
      ? ''
      : ': no received vehicle is bound to this asset; GET /api/fleet lists the keys of received vehicles';
    throw this.#refusal(verb, asset, ask, `${asset.name} does not offer the verb ${verb}${why}`);
  }

  #refusal(verb: string, asset: Named, ask: Ask, text: string): Fault {
    this.#noteRefusal(verb, asset, ask, text);
    return conflict(text);
  }

  /**
   * Records a refusal. Refusals have a rate limit of their own: they must neither fill the log nor use up the rate of
   * commands.
   */
  #noteRefusal(verb: string, asset: Named, ask: Ask, text: string): void {
    if (ask.engagementId === null && ask.by.type !== 'system') {
      this.#requirePace(asset, 'refused', ask);
      this.#pace.count(ask.by, asset, 'refused', this.#deps.nowMs());
    }
    this.#log.refuse(verb, asset, ask.by, text, ask.why);
  }

  #expiry(expiresAt: string | undefined): number {
    const nowMs = this.#deps.nowMs();
    if (expiresAt === undefined) return nowMs + EXPIRES_MS;
    const expiresMs = this.#deps.worldMs(Date.parse(expiresAt));
    if (expiresMs <= nowMs) throw invalidInput("'expires_at' is in the past");
    if (expiresMs - nowMs > LONGEST_MS) throw invalidInput("'expires_at' must be at most one hour from now");
    return expiresMs;
  }
}

/**
 * Throws for parameters that do not fit the verb: another kind, a missing field, a field that the verb would ignore, or
 * two heights.
 */
function checkParams(verb: Verb, params: CommandParams): void {
  const fields: VerbFields | undefined = verbs[verb].params[params.kind];
  if (!fields) {
    const kinds = kindsOf(verb).join(' or ');
    throw invalidInput(`'params.kind' must be ${kinds} for ${verb}, not ${params.kind}`);
  }
  const { needed = [], taken = [] } = fields;
  const given = Object.entries(params).flatMap(([field, value]) => (value === undefined ? [] : [field]));
  for (const field of needed) {
    if (!given.includes(field)) throw invalidInput(`'params.${field}' is needed by ${verb}`);
  }
  for (const field of given) {
    if (identifyingFields.has(field) || needed.includes(field) || taken.includes(field)) continue;
    throw invalidInput(`'params.${field}' is not a parameter of ${verb}`);
  }
  const givenHeights = heights.filter((field) => given.includes(field));
  if (givenHeights.length > 1) {
    throw invalidInput(`'params' must have only one height, but has ${givenHeights.join(' and ')}`);
  }
}

function sameParams(one: CommandParams, other: CommandParams): boolean {
  const sorted = (params: CommandParams): string =>
    JSON.stringify(Object.entries(params).sort(([a], [b]) => (a < b ? -1 : 1)));
  return sorted(one) === sorted(other);
}
