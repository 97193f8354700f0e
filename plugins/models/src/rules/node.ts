import type { Json } from '@kit-run/kit/plugin';

/**
 * A value of the children's results with its place: names and indexes from the root, the first of
 * them a child's name.
 */
export interface Found {
  readonly value: Json;
  readonly location: readonly (string | number)[];
}

/** A normalized path (RFC 9535 2.7): `$['tests']['summary']['failed']`. */
export function pathOf(location: readonly (string | number)[]): string {
  const steps = location.map((step) =>
    typeof step === 'number' ? `[${step}]` : `['${step.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}']`,
  );
  return `$${steps.join('')}`;
}

/** A part of the answer, or why there is none. */
export type Filled =
  | {
      readonly ok: true;
      readonly value: Json;
      readonly sources: readonly (readonly [pointer: string, source: string])[];
    }
  | { readonly ok: false; readonly pointer: string; readonly reason: string };

export function unfilled(pointer: string, reason: string): Filled {
  return { ok: false, pointer, reason };
}

/** One value from one place. */
export function taken(pointer: string, value: Json, source: string): Filled {
  return { ok: true, value, sources: [[pointer, source]] };
}
