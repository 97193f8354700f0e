/** A change of one kind, and how many files it may touch. */
export interface Sample {
  readonly name: string;
  readonly says: string;
  readonly atMost: number;
  readonly besides: number;
}
export const SAMPLES: readonly Sample[];
export function filesOf(root: string, name: string): Promise<readonly string[]>;
/** Null = the patch applies. */
export function refusalOf(root: string, name: string): string | null;
export function sorted(
  paths: readonly string[],
  generated: ReadonlySet<string>,
): { readonly hand: readonly string[]; readonly tests: readonly string[]; readonly generated: readonly string[] };
