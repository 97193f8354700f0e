/** A colon in a path says nothing else, and ids of gates hold one. */
const inPath = (id: string): string => encodeURIComponent(id).replaceAll('%3A', ':');

/** Addresses for people; a browser that opens one is led to the page that shows it. */
export interface Links {
  readonly run: (id: string) => string;
  readonly gate: (id: string) => string;
  /** Of a review item. */
  readonly item: (id: string) => string;
  /** All runs. */
  readonly runs: string;
  /** Where one begins: what waits for whoever looks. */
  readonly home: string;
}

/** Below `base`, an absolute URL with or without a slash at its end. An id leads nowhere else. */
export function linksBelow(base: string): Links {
  const root = base.replace(/\/+$/, '');
  return {
    run: (id) => `${root}/jobs/${inPath(id)}`,
    gate: (id) => `${root}/gates/${inPath(id)}`,
    item: (id) => `${root}/review/${inPath(id)}`,
    runs: `${root}/console/runs`,
    home: `${root}/console/`,
  };
}
