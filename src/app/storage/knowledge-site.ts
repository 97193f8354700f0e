import { KitError } from '../../domain/errors.js';
import type { KnowledgeBase } from '../../domain/knowledge.js';
import type { StorageSettings } from '../../domain/storage-settings.js';
import { runtimeSite, type Sited } from './resolve-storage.js';
import { environmentChoice, type StorageEnvironment } from './storage-environment.js';

/** What a base says of its index; `storage.knowledge_bases` itself says the same for all. */
type Named = Pick<KnowledgeBase, 'storage'> & { readonly id?: string };

/**
 * Where the index of a base lies: with the runs, so that whoever executes one can search. A setting
 * may name that engine and no other; what the environment decides holds for every store.
 *
 * Throws KIT_STORE_UNAVAILABLE.
 */
export function knowledgeSite(
  settings: StorageSettings,
  environment: StorageEnvironment,
  { id, storage }: Named = { storage: null },
): Sited {
  const runtime = runtimeSite(settings, environment);
  const engine = storage ?? settings.knowledgeBases;
  if (engine === null || environmentChoice(environment).kind !== 'silent') return runtime;
  const setting =
    storage === null || id === undefined ? 'storage.knowledge_bases' : `storage of the knowledge base ${id}`;
  if (engine === runtime.place.backend) return { place: runtime.place, source: setting, setting };
  throw new KitError(
    'KIT_STORE_UNAVAILABLE',
    `${setting} names ${engine}, and the runs lie in ${runtime.place.backend}`,
    {
      hint: 'Remove it: indexes lie in the database of the runs, where every process that executes one finds them.',
      data: { setting },
    },
  );
}
