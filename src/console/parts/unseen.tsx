import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type InView, NONE_UNSEEN, type Unseen, UnseenRows } from '../state/unseen_rows.ts';

/** Share of a row that must be inside its panel for the row to be in view. A high row must fill this share of the panel. */
const IN_VIEW = 0.6;
/** Shares at which the browser looks again. A row that is higher than its panel never reaches `IN_VIEW`. */
const LOOKS = [0, 0.2, 0.4, IN_VIEW, 0.8];

const isSeen = ({ intersectionRatio, intersectionRect, rootBounds }: IntersectionObserverEntry): boolean =>
  intersectionRatio >= IN_VIEW || (rootBounds !== null && intersectionRect.height >= IN_VIEW * rootBounds.height);

/**
 * Follows which rows of a list a person has had in view. A row is a child of `list` whose attribute `data-urgent` has a
 * key for each urgent thing in it, separated by spaces. A child with `data-beyond` stands for rows that have no room;
 * they are never in view. Returns the keys that were not in view yet, and a function that
 * scrolls to the first of their rows.
 */
export function useUnseen(
  panel: RefObject<HTMLElement | null>,
  list: RefObject<HTMLElement | null>,
  isAlwaysNamed?: (key: string) => boolean,
  rankOf?: (key: string) => number,
) {
  const [unseen, setUnseen] = useState<Unseen>(NONE_UNSEEN);
  const rows = useRef(new UnseenRows(isAlwaysNamed, rankOf));
  /** Whether each observed row is in view; null until the observer has said it. */
  const inView = useRef(new WeakMap<Element, boolean | null>());
  const observer = useRef<IntersectionObserver | null>(null);
  const look = (): void => {
    const elements = [...(list.current?.children ?? [])];
    const seen = elements.map((element): InView => {
      const keys = (element.getAttribute('data-urgent') ?? '').split(' ').filter((key) => key !== '');
      const isInView = element.hasAttribute('data-beyond') ? false : (inView.current.get(element) ?? null);
      return { keys, isInView };
    });
    setUnseen((before) => rows.current.look(seen, before));
  };
  useEffect(() => {
    const root = panel.current;
    if (root === null) return;
    observer.current = new IntersectionObserver(
      (entries) => {
        for (const entry of entries) inView.current.set(entry.target, isSeen(entry));
        look();
      },
      { root, threshold: LOOKS },
    );
    return () => observer.current?.disconnect();
  }, []);
  // After each drawing: rows come, go and become urgent without a message of the observer.
  useEffect(() => {
    for (const element of list.current?.children ?? []) {
      if (inView.current.has(element)) continue;
      inView.current.set(element, null);
      observer.current?.observe(element);
    }
    look();
  });
  const go = (): void => list.current?.children[unseen.firstRow]?.scrollIntoView({ block: 'center' });
  return { unseen, go };
}

type BarProps = { unseen: Unseen; go: () => void; say: (keys: readonly string[]) => string; isUrgent: boolean };

/** Button at the lower edge of a panel that names urgent rows that were not in view yet, and scrolls to them. */
export function UnseenBar({ unseen: { keys, isBelow, isAbove }, go, say, isUrgent }: BarProps) {
  return (
    <p class="unshown" aria-live={keys.length > 0 && !isUrgent ? 'off' : 'assertive'} data-urgent={isUrgent}>
      {keys.length === 0 ? null : (
        <button type="button" onClick={go}>
          <span aria-hidden="true">{isBelow && isAbove ? '↕' : isBelow ? '↓' : '↑'}</span> {say(keys)}
        </button>
      )}
    </p>
  );
}
