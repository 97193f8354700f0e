import type { ProcessWorld } from '../../cli/process-io.js';

/** What ends a process that nobody asked to end. */
export interface Crash {
  readonly what:
    | { readonly kind: 'thrown'; readonly error: unknown }
    | { readonly kind: 'exit'; readonly code: string };
  /** Where it comes from, as far as it is known. */
  readonly stack: string;
  /** The plugin whose call left it behind; null = not known. */
  readonly plugin: string | null;
}

/** The one place where a crash becomes the end of the process. */
export interface CrashGuard {
  /** The first crash counts; the process ends with 1 once `end` is through. */
  crash(crash: Crash): void;
  readonly isCrashed: () => boolean;
  /** From now on tells whose work is carried out at this moment. */
  ownerIs(current: () => string | null): void;
}

/**
 * Takes errors that nobody caught, for as long as the process lives: one that a timer of a plugin
 * throws takes no run with it. `end` tells of it and hands back what this process executes.
 */
export function openCrashGuard(
  world: Pick<ProcessWorld, 'events' | 'exit' | 'exitCode'>,
  end: (crash: Crash) => Promise<void>,
): CrashGuard {
  let isCrashed = false;
  let owner: () => string | null = () => null;
  const crash = (first: Crash): void => {
    if (isCrashed) return;
    isCrashed = true;
    const leave = (): void => {
      world.exitCode = 1;
      world.exit(1);
    };
    end(first).then(leave, leave);
  };
  const onThrown = (error: unknown): void => {
    const stack = error instanceof Error ? (error.stack ?? '') : '';
    crash({ what: { kind: 'thrown', error }, stack, plugin: owner() });
  };
  world.events.on('uncaughtException', onThrown);
  world.events.on('unhandledRejection', onThrown);
  return {
    crash,
    isCrashed: () => isCrashed,
    ownerIs: (current) => {
      owner = current;
    },
  };
}
