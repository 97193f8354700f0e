import { messageOf } from '../../domain/errors.js';
import { watchEffects } from '../contract/effects.js';
import type { ProbeReport } from './probe-report.js';
import { processState, stateChanges } from './process-state.js';

/** Long enough for what a module has started without waiting for it to be seen. */
const SETTLE_MS = 60;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  (typeof value === 'object' || typeof value === 'function') && value !== null;

const codeOf = (error: unknown): string | null =>
  isObject(error) && typeof error.code === 'string' ? error.code : null;

const hasRun = (value: unknown): boolean =>
  typeof value === 'function' && isObject(value.prototype) && typeof value.prototype.run === 'function';

function without(list: readonly string[], known: readonly string[]): readonly string[] {
  const rest = [...known];
  return list.filter((item) => {
    const index = rest.indexOf(item);
    if (index >= 0) rest.splice(index, 1);
    return index < 0;
  });
}

/**
 * Loads one module in this process and says what that did. `environment`: the one that the module
 * can change.
 */
export async function probeModule(url: string, environment: NodeJS.ProcessEnv): Promise<ProbeReport> {
  const before = processState(environment);
  const openBefore = process.getActiveResourcesInfo();
  const watch = watchEffects();
  const startedMs = performance.now();
  let module: Readonly<Record<string, unknown>> = {};
  let error: ProbeReport['error'] = null;
  try {
    module = await import(url);
  } catch (cause) {
    error = { message: messageOf(cause), code: codeOf(cause) };
  }
  const importMs = performance.now() - startedMs;
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  const { contribution } = module;
  return {
    importMs,
    error,
    tag: isObject(contribution) && typeof contribution.$$type === 'string' ? contribution.$$type : null,
    commands: Object.entries(module).flatMap(([name, value]) => (hasRun(value) ? [name] : [])),
    changes: stateChanges(before, processState(environment)),
    started: watch.seen(),
    open: without(process.getActiveResourcesInfo(), openBefore),
  };
}
