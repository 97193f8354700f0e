import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';

/** What a tab calls a page that the head does not lead to. */
const WITHIN: Readonly<Record<string, string>> = { items: 'Item', gates: 'Gate' };

interface Arrival {
  /** Path of the page below the console. */
  readonly location: string;
  /** `/runs` -> `Runs`. */
  readonly places: readonly { readonly path: string; readonly name: string }[];
  /** Items that are the looker's own to decide. */
  readonly own: number;
}

/** `Runs`, `Item mpa-...`; '' = the inbox. */
function nameOf({ location, places }: Pick<Arrival, 'location' | 'places'>): string {
  const [, first = '', ...rest] = location.split('/');
  if (first === '') return '';
  const name = WITHIN[first] ?? places.find(({ path }) => path === `/${first}`)?.name ?? '';
  return [name, ...rest].join(' ');
}

/**
 * Another page in the same document, told as a new document is: the tab has its name, and the
 * keyboard and a screen reader go on at its beginning and not behind what is gone.
 */
export function useArrival(arrival: Arrival): RefObject<HTMLElement | null> {
  const main = useRef<HTMLElement>(null);
  const { location, own } = arrival;
  const name = nameOf(arrival);
  useEffect(() => {
    document.title = `${own === 0 ? '' : `(${own}) `}${name === '' ? '' : `${name} - `}kit`;
  }, [own, name]);
  const last = useRef(location);
  // Before the effects of the page: where it has a field for the cursor, the field wins.
  useLayoutEffect(() => {
    if (last.current === location) return;
    last.current = location;
    main.current?.focus({ preventScroll: true });
  }, [location]);
  return main;
}
