import type { Clock } from '../../host/clock.ts';
import { OWN_COMPID } from '../link_runner.ts';
import { SigningBook } from './book.ts';
import { type SigningKeeper, unkeptSigning } from './keeper.ts';

/** How the links of a world sign; without a keeper none has a key. */
export function beginSigning(
  { clock, signing }: { clock: Clock; signing?: SigningKeeper },
  sysid: number,
  trouble: (sentence: string) => void,
): SigningBook {
  const own = { sysid, compid: OWN_COMPID };
  const utcNowMs = (): number => clock.utcMs(clock.nowMs());
  return new SigningBook({ utcNowMs, own, keeper: signing ?? unkeptSigning, trouble });
}
