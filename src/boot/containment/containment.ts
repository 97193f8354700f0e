import { AsyncLocalStorage } from 'node:async_hooks';
import type { Containment } from '../../host/host-parts.js';
import { pluginOfStack } from '../../host/plugin-of-stack.js';
import type { LoadedPlugins } from '../discovery/plugins.js';
import type { CrashGuard } from './crash-guard.js';
import { placesOf } from './end-crashed.js';
import { openWatch, type Watch } from './watch.js';

/** What containing code of plugins takes. */
export interface ContainmentParts {
  /** The process that kit was started in. */
  readonly process: NodeJS.Process;
  readonly plugins: Pick<LoadedPlugins, 'candidates'>;
  readonly guard: Pick<CrashGuard, 'crash' | 'isCrashed' | 'ownerIs'>;
}

/** A containment that can be ended. */
export interface OpenContainment extends Containment {
  /**
   * The work of this process is done: nothing is watched any more, and what plugins left open
   * keeps it for a moment only. `say` takes a line that tells of that.
   */
  end(say: (line: string) => void): void;
}

/** A socket or a timer that a plugin forgot holds up the end of the process for this long. */
const LEFT_OPEN_MS = 2_000;

const openOf = (process: NodeJS.Process): string => [...new Set(process.getActiveResourcesInfo())].join(', ');

const isPromise = (value: unknown): value is Promise<unknown> => value instanceof Promise;

/**
 * Bounds what plugins can do to the process around them: whatever a call leaves behind is known as
 * its plugin's, `process.exit` drains first, `Object.prototype` takes no new properties, and a loop
 * that they block is ended by a thread beside it.
 */
export function createContainment({ process, plugins, guard }: ContainmentParts): OpenContainment {
  const calls = new AsyncLocalStorage<string>();
  const { exit } = process;
  const foreign = plugins.candidates.flatMap(({ name, origin }) => (origin === 'bundled' ? [] : [name]));
  let watch: Watch | null = null;

  function takeExit(): void {
    process.exit = (code) => {
      const stack = new Error('process.exit').stack ?? '';
      const places = placesOf(plugins).filter(({ isBundled }) => !isBundled);
      const plugin = pluginOfStack(stack, places) ?? calls.getStore() ?? null;
      if (plugin === null) return exit.call(process, code);
      guard.crash({ what: { kind: 'exit', code: String(code ?? '') }, stack, plugin });
      throw new Error(`${plugin} cannot end the process at once: it hands back what it executes first`);
    };
  }

  /** A call that failed because its plugin ended the process says nothing about its run. */
  const settled = async (work: Promise<unknown>): Promise<unknown> => {
    try {
      return await work;
    } catch (error) {
      return guard.isCrashed() ? new Promise(() => {}) : Promise.reject(error);
    }
  };

  return {
    begin: () => {
      if (watch !== null) return;
      watch = openWatch(foreign);
      guard.ownerIs(() => calls.getStore() ?? null);
      takeExit();
      // One plugin that adds a property to every object makes all the others, and kit, fail.
      Object.preventExtensions(Object.prototype);
    },
    within: <T>(plugin: string, work: () => T): T =>
      calls.run(plugin, () => {
        const leave = watch?.enter(plugin);
        try {
          const result = work();
          if (!isPromise(result)) {
            leave?.();
            return result;
          }
          const done = settled(result).finally(() => leave?.());
          return done as T; // the same promise, but for the end of the process
        } catch (error) {
          leave?.();
          throw error;
        }
      }),
    end: (say) => {
      if (watch === null) return;
      watch.end();
      const ending = setTimeout(() => {
        say(`warning: plugins left something open (${openOf(process)}); loaded: ${foreign.join(', ')}\n`);
        exit.call(process);
      }, LEFT_OPEN_MS);
      ending.unref();
    },
  };
}
