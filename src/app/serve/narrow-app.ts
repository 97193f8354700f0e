import { KitError } from '../../domain/errors.js';

/** Members that no manifest may name: they are the host's own. */
const OWN = new Set(['close', 'http']);

/** What may stand under `uses`. */
export const usableMembers = (app: object): readonly string[] => Object.keys(app).filter((name) => !OWN.has(name));

/** Language and tools ask for these of any object; they are not use cases. */
const ASKED_OF_ALL = new Set(['then', 'toJSON', 'constructor', 'nodeType', 'asymmetricMatch']);

/**
 * The use cases that a contribution declared. Reading another one throws KIT_PLUGIN_CALL_FAILED and
 * names the key of the manifest, so that what was shown at the install is what it can do.
 */
export function narrowApp(app: object, from: { readonly id: string; readonly uses: readonly string[] }): object {
  const allowed = new Set(from.uses);
  return new Proxy(Object.freeze({}), {
    get: (_target, key) => {
      if (typeof key === 'symbol' || ASKED_OF_ALL.has(key)) return undefined;
      if (allowed.has(key)) return Reflect.get(app, key);
      throw new KitError(
        'KIT_PLUGIN_CALL_FAILED',
        `${from.id} used ${key}, which kit.contributes.httpMounts[].uses of its manifest does not name`,
        {
          data: { id: from.id, member: key },
        },
      );
    },
    has: (_target, key) => typeof key === 'string' && allowed.has(key),
  });
}
