import type { FindReferences } from '../domain/ports/references.js';
import type { ReferencePlaces } from './find-references.js';

/** A run that calls nobody refers to nothing. */
export function lazyFindReferences(places: ReferencePlaces): FindReferences {
  let made: Promise<FindReferences> | undefined;
  return async (references) => {
    if (references.length === 0) return [];
    made ??= import('./find-references.js').then(({ createFindReferences }) => createFindReferences(places));
    return (await made)(references);
  };
}
