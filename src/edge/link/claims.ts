import { conflict } from '../../model/fault.ts';

export type Release = () => void;
type Claim = { kind: 'udp' | 'tcp' | 'device'; place: string; port: number; owner: string; workspaceId: string };

type Place = Pick<Claim, 'kind' | 'place' | 'port'>;

const anyAddress = new Set(['0.0.0.0', '::']);

/**
 * Locks of the ports and devices that the links of this process use. All links share one list, with one entry for each
 * locked port, device or device name. The refusal of a second link names the link that has the lock, but only within
 * one workspace. A link of another workspace learns only that the port or device is in use.
 */
export class Claims {
  readonly #held: Set<Claim>;
  readonly #workspaceId: string;

  constructor(workspaceId = '', held = new Set<Claim>()) {
    this.#workspaceId = workspaceId;
    this.#held = held;
  }

  /** Returns a view of the same list for the links of one workspace. */
  of(workspaceId: string): Claims {
    return new Claims(workspaceId, this.#held);
  }

  /**
   * Locks a port to listen on. The any-addresses `0.0.0.0` and `::` conflict with every address of the same `kind`
   * and port.
   */
  takePort(kind: 'udp' | 'tcp', address: string, port: number, owner: string): Release {
    return this.#take({ kind, place: address, port, owner, workspaceId: this.#workspaceId });
  }

  /**
   * Locks a device by its path, which the caller must have resolved from symbolic links. `serial.ts` also calls this
   * with a text such as `the name /dev/gps`, to lock a device name.
   */
  takeDevice(path: string, owner: string): Release {
    return this.#take({ kind: 'device', place: path, port: 0, owner, workspaceId: this.#workspaceId });
  }

  /** Throws a `conflict` Fault if the device is locked. Locks nothing itself. */
  checkDevice(path: string): void {
    this.#check({ kind: 'device', place: path, port: 0 });
  }

  #take(claim: Claim): Release {
    this.#check(claim);
    this.#held.add(claim);
    return () => void this.#held.delete(claim);
  }

  #check(claim: Place): void {
    for (const held of this.#held) {
      if (!collide(held, claim)) continue;
      const what = claim.kind === 'device' ? claim.place : `port ${claim.port}/${claim.kind}`;
      const who =
        held.workspaceId === this.#workspaceId ? `link '${held.owner}'` : 'a link of another workspace of this box';
      throw conflict(`${what} is in use by ${who}`);
    }
  }
}

function collide(a: Place, b: Place): boolean {
  if (a.kind !== b.kind || a.port !== b.port) return false;
  if (a.place === b.place) return true;
  return a.kind !== 'device' && (anyAddress.has(a.place) || anyAddress.has(b.place));
}
