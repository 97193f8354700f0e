import { isKitError, KitError, messageOf } from '../domain/errors.js';
import type { ContributionInfo } from '../domain/extension-points.js';

const isAbort = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError';

/** What is thrown need not have a text: an object can refuse to become one. */
function textOf(cause: unknown): string {
  try {
    return messageOf(cause);
  } catch {
    return 'it threw something that has no text';
  }
}

/**
 * Refusals with a code and aborts keep their meaning; anything else is the plugin's bug and is
 * named as such.
 */
export function callFailure(info: ContributionInfo, method: string, cause: unknown): unknown {
  if (isKitError(cause) || isAbort(cause)) return cause;
  const text = textOf(cause);
  return new KitError('KIT_PLUGIN_CALL_FAILED', `${info.id} of ${info.plugin} failed in ${method}: ${text}`, {
    cause,
    data: { plugin: info.plugin, point: info.point, id: info.id },
  });
}

/** Carries out one call as code of its plugin. */
export type Within = <T>(work: () => T) => T;

type Call = (...args: unknown[]) => unknown;

const isPromise = (value: unknown): value is Promise<unknown> => value instanceof Promise;

/**
 * The instance with every method guarded: a throw or rejection becomes KIT_PLUGIN_CALL_FAILED with
 * plugin, point and id.
 */
export function guardCalls<T extends object>(instance: T, info: ContributionInfo, within: Within): T {
  // Every call of a model asks for several of them.
  const made = new Map<string, { readonly member: unknown; readonly call: Call }>();
  return new Proxy(instance, {
    get(target, key) {
      const member: unknown = Reflect.get(target, key, target);
      if (typeof member !== 'function' || typeof key === 'symbol') return member;
      const known = made.get(key);
      if (known?.member === member) return known.call;
      const call: Call = (...args) => {
        try {
          const result: unknown = within(() => Reflect.apply(member, target, args));
          return isPromise(result)
            ? result.catch((error: unknown) => Promise.reject(callFailure(info, key, error)))
            : result;
        } catch (error) {
          throw callFailure(info, key, error);
        }
      };
      made.set(key, { member, call });
      return call;
    },
  });
}
