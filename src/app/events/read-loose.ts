import { KitError } from '../../domain/errors.js';
import type { StoredEvent } from '../../domain/events.js';
import type { Stores } from '../../domain/ports/stores.js';
import { typesNamed } from '../observe/event-filter.js';

/** Which events of no run to show. */
export interface ReadLoose {
  /** Absolute workspace directory. */
  readonly workspace: string;
  /** Event types or families of them; [] = all. */
  readonly types: readonly string[];
  /** Name of a topology; null = of any, and those of none. */
  readonly topology: string | null;
  /** How many of the newest, 1..1000. */
  readonly last: number;
}

/** See `EventsApp.loose`. */
export async function readLoose(
  stores: Pick<Stores, 'events'> | null,
  { types, topology, last }: ReadLoose,
): Promise<readonly StoredEvent[]> {
  const named = typesNamed(types);
  if (topology?.includes('@'))
    throw new KitError('KIT_USAGE', `${topology} names a version, and these events belong to no run of one`, {
      hint: `Write --topology ${topology.split('@')[0]}.`,
    });
  if (stores === null) return [];
  const newest = await stores.events.readNewest({
    jobId: '',
    limit: last,
    ...(named.length === 0 ? {} : { types: named }),
    ...(topology === null ? {} : { topologyId: topology }),
  });
  return [...newest].reverse();
}
