import { Fault } from '../../model/fault.ts';

export type Release = () => void;
type Claim = { kind: 'udp' | 'tcp' | 'device'; place: string; port: number; owner: string; workspace: string };

const anyAddress = new Set(['0.0.0.0', '::']);

/**
 * What the links of this process have in use, so that a second link on it is told who the first is. One registry is
 * shared by every link of the process. It holds one entry for each thing held, so its size is that of what is open.
 */
export class Claims {
  readonly #workspace: string;
  #held = new Set<Claim>();

  constructor(workspace = '') {
    this.#workspace = workspace;
  }

  /** The same, for the links of one workspace: those of another are in the way as well, but are not named. */
  of(workspace: string): Claims {
    const claims = new Claims(workspace);
    claims.#held = this.#held;
    return claims;
  }

  /** Takes a port to listen on. The any-addresses `0.0.0.0` and `::` stand in the way of every address of that port. */
  takePort(kind: 'udp' | 'tcp', address: string, port: number, owner: string): Release {
    return this.#take({ kind, place: address, port, owner, workspace: this.#workspace });
  }

  /** Takes a device by its path, links in it resolved. */
  takeDevice(path: string, owner: string): Release {
    return this.#take({ kind: 'device', place: path, port: 0, owner, workspace: this.#workspace });
  }

  /** Throws where the device is taken, and takes nothing. */
  checkDevice(path: string): void {
    this.#check({ kind: 'device', place: path, port: 0, owner: '', workspace: this.#workspace });
  }

  #take(claim: Claim): Release {
    this.#check(claim);
    this.#held.add(claim);
    return () => void this.#held.delete(claim);
  }

  #check(claim: Claim): void {
    for (const held of this.#held) {
      if (!collide(held, claim)) continue;
      const what = claim.kind === 'device' ? claim.place : `port ${claim.port}/${claim.kind}`;
      const ofOurs = held.workspace === this.#workspace;
      const whose = ofOurs ? `link '${held.owner}'` : 'a link of another workspace of this box';
      throw new Fault('conflict', `${what} is in use by ${whose}`);
    }
  }
}

function collide(a: Claim, b: Claim): boolean {
  if (a.kind !== b.kind || a.port !== b.port) return false;
  if (a.place === b.place) return true;
  return a.kind !== 'device' && (anyAddress.has(a.place) || anyAddress.has(b.place));
}
