import { expect } from 'vitest';

/** What `kit storage prune --json` prints. */
export interface Pruned {
  readonly method: 'estimate' | 'exact';
  readonly runs: number;
  readonly events: number;
  readonly rows: Readonly<Record<string, number>>;
  readonly blobs: number;
  readonly bytes: { readonly database: number; readonly blobs: number };
  readonly database_bytes: { readonly now: number; readonly after: number };
}

/** An estimate counts the runs, and everything else is near what is counted one by one. */
export function expectAbout(rough: Pruned, exact: Pruned): void {
  expect([rough.method, exact.method]).toEqual(['estimate', 'exact']);
  expect(rough.runs).toBe(exact.runs);
  const near = (figure: number, counted: number): void => {
    expect(Math.abs(figure - counted)).toBeLessThanOrEqual(counted * 0.3);
  };
  near(rough.events, exact.events);
  near(rough.blobs, exact.blobs);
  near(rough.bytes.database, exact.bytes.database);
  console.log(
    `estimated: ${rough.events} events, ${rough.blobs} blobs, ${rough.bytes.database} bytes; counted: ${exact.events}, ${exact.blobs}, ${exact.bytes.database}`,
  );
}
