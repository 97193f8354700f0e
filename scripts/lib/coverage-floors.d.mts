/** In percent. */
export interface RoomCoverage {
  readonly lines: number;
  readonly branches: number;
}
/** The least that a room may have, or why it is not measured. */
export type CoverageFloor = RoomCoverage | { readonly leftOut: string };
export type CoverageFloors = Readonly<Record<string, CoverageFloor>>;

/** The rooms to measure, in order. */
export function measuredRooms(rooms: readonly string[], table: CoverageFloors): string[];

/** What fails, and which floors can be raised: sentences in order. null = a run without figures. */
export function judgeCoverage(
  table: CoverageFloors,
  rooms: readonly string[],
  seen: Readonly<Record<string, RoomCoverage | null>>,
): { readonly faults: readonly string[]; readonly notes: readonly string[] };
