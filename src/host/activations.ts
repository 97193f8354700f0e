import { isKitError, KitError } from '../domain/errors.js';
import type { Contribution, ExtensionPoints, LivePointId, PluginState } from '../domain/extension-points.js';
import type { JsonObject } from '../domain/json.js';
import { createInstance, importContribution, withinOf } from './activation.js';
import { guardCalls } from './guard.js';
import type { HostParts } from './host-parts.js';
import type { PluginCandidate, PluginProblem } from './registration.js';
import type { RegisteredContribution } from './registry.js';
import { withTimeLimit } from './time-limit.js';

/** Each disposal has its own. */
const DISPOSE_TIMEOUT_MS = 5 * 1000;

/** What has happened to one plugin since registration. */
export interface PluginActivity {
  readonly state: Exclude<PluginState, 'rejected'>;
  readonly failure: PluginProblem | null;
  readonly importMs: number | null;
  readonly createMs: number | null;
}

interface Live {
  readonly entry: RegisteredContribution;
  readonly abort: AbortController;
  readonly instance: { dispose?(): Promise<void> };
}

/**
 * Imports, instances and failures of one host, remembered: a failure is given again, not tried
 * again, unless somebody asks to forget it.
 */
export interface Activations {
  once<T>(entry: RegisteredContribution, configKey: string, work: () => Promise<T>): Promise<T>;
  /** A failure that `once` remembers; what succeeded stays. */
  forget(entry: RegisteredContribution, configKey: string): void;
  activate<P extends LivePointId>(
    entry: RegisteredContribution,
    point: P,
    config: JsonObject,
  ): Promise<ExtensionPoints[P]>;
  of(plugin: PluginCandidate): PluginActivity;
  dispose(): Promise<void>;
}

const UNTOUCHED: PluginActivity = { state: 'registered', failure: null, importMs: null, createMs: null };

const problemOf = (error: unknown): PluginProblem =>
  isKitError(error)
    ? { code: error.code, message: error.message }
    : { code: 'KIT_PLUGIN_LOAD_FAILED', message: String(error) };

const keyOf = ({ info }: RegisteredContribution, configKey: string): string => `${info.point}/${info.id}/${configKey}`;

export function createActivations(parts: HostParts): Activations {
  const instances = new Map<string, Promise<unknown>>();
  const failed = new Set<string>();
  const imports = new Map<RegisteredContribution, Promise<unknown>>();
  const activity = new Map<PluginCandidate, PluginActivity>();
  const live: Live[] = [];
  let isClosed = false;

  const of = (plugin: PluginCandidate): PluginActivity => activity.get(plugin) ?? UNTOUCHED;
  const note = (plugin: PluginCandidate, change: Partial<PluginActivity>): void =>
    void activity.set(plugin, { ...of(plugin), ...change });

  async function timed<T>(plugin: PluginCandidate, field: 'importMs' | 'createMs', work: () => Promise<T>): Promise<T> {
    const startedAt = parts.clock.now();
    const value = await work();
    note(plugin, { [field]: (of(plugin)[field] ?? 0) + parts.clock.now() - startedAt });
    return value;
  }

  function imported<P extends LivePointId>(entry: RegisteredContribution, point: P): Promise<Contribution<P>> {
    const known = imports.get(entry) ?? timed(entry.plugin, 'importMs', () => importContribution(parts, entry, point));
    imports.set(entry, known);
    return known as Promise<Contribution<P>>; // the key fixes the point
  }

  async function activate<P extends LivePointId>(
    entry: RegisteredContribution,
    point: P,
    config: JsonObject,
  ): Promise<ExtensionPoints[P]> {
    const { plugin } = entry;
    note(plugin, { state: 'activating' });
    try {
      const contribution = await imported(entry, point);
      const abort = new AbortController();
      const instance = await timed(plugin, 'createMs', () =>
        createInstance(parts, entry, { contribution, config, signal: abort.signal }),
      );
      live.push({ entry, abort, instance });
      note(plugin, { state: of(plugin).failure === null ? 'active' : 'failed' });
      return guardCalls(instance, entry.info, withinOf(parts, entry));
    } catch (error) {
      note(plugin, { state: 'failed', failure: problemOf(error) });
      throw error;
    }
  }

  async function disposeOne({ entry, abort, instance }: Live): Promise<void> {
    abort.abort();
    try {
      const disposing = withinOf(parts, entry)(async () => instance.dispose?.());
      await withTimeLimit(
        parts.clock,
        DISPOSE_TIMEOUT_MS,
        disposing,
        () => new Error(`not done within ${DISPOSE_TIMEOUT_MS} ms`),
      );
    } catch (error) {
      parts.log.warn('a contribution could not be disposed', { plugin: entry.plugin.name, id: entry.info.id, error });
    }
    note(entry.plugin, { state: 'disposed' });
  }

  return {
    once: <T>(entry: RegisteredContribution, configKey: string, work: () => Promise<T>) => {
      if (isClosed)
        return Promise.reject(
          new KitError('KIT_INTERNAL', `${entry.info.id} was asked for after the plugin host was closed`),
        );
      const key = keyOf(entry, configKey);
      const known = instances.get(key) ?? work();
      if (!instances.has(key)) known.catch(() => failed.add(key));
      instances.set(key, known);
      return known as Promise<T>; // the key fixes the point
    },
    forget: (entry, configKey) => {
      const key = keyOf(entry, configKey);
      if (!failed.delete(key)) return;
      instances.delete(key);
      note(entry.plugin, { failure: null });
    },
    activate,
    of,
    dispose: async () => {
      isClosed = true;
      for (const one of live.splice(0).reverse()) await disposeOne(one);
    },
  };
}
