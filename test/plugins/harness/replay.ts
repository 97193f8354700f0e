import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { parseAdapter } from '../../../plugins/harness/src/adapter/parse.js';
import type { AdapterSpec } from '../../../plugins/harness/src/adapter/spec.js';
import { conclude } from '../../../plugins/harness/src/interpret/conclude.js';
import { flush, fold, type HarnessState, INITIAL } from '../../../plugins/harness/src/interpret/fold.js';
import { interpretLine } from '../../../plugins/harness/src/interpret/line.js';
import type { ExecutorEvent, ExecutorResult, JsonObject, ProcessResult } from '../../../src/sdk/plugin.js';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The raw spec of a bundled adapter, as kit would hand it to the executor. */
export function bundledSpec(id: string): JsonObject {
  return parse(readFileSync(at(`../../../plugins/harness/adapters/${id}.yaml`), 'utf8')).spec;
}

export function fixtureSpec(name: string): JsonObject {
  return parse(readFileSync(at(`../../fixtures/harness/${name}`), 'utf8')).spec;
}

/** Parses a spec that must be sound. */
export function adapterOf(spec: JsonObject): AdapterSpec {
  const parsed = parseAdapter(spec);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.spec;
}

export const capture = (name: string): string[] =>
  readFileSync(at(`../../fixtures/harness/${name}`), 'utf8')
    .split('\n')
    .filter((line) => line !== '');

export const exited = (exitCode: number, more: Partial<ProcessResult> = {}): ProcessResult => ({
  exitCode,
  signal: null,
  ended: null,
  stderrTail: '',
  durationMs: 1,
  ...more,
});

export interface Replayed {
  readonly state: HarnessState;
  readonly events: readonly ExecutorEvent[];
  readonly result: ExecutorResult;
}

/** What the driver makes of recorded lines and an exit, without any process. */
export function replay(adapter: AdapterSpec, lines: readonly string[], end: ProcessResult = exited(0)): Replayed {
  let state = INITIAL;
  const events: ExecutorEvent[] = [];
  for (const event of lines.flatMap((line) => interpretLine(adapter, line))) {
    const folded = fold(state, event);
    state = folded.state;
    events.push(...folded.events);
  }
  const last = flush(state);
  events.push(...last.events);
  const ended = { end, breach: null, answers: null, model: '' };
  return { state: last.state, events, result: conclude(adapter, last.state, ended) };
}
