import type { AgentNode } from '../domain/agent-node.js';
import type { Json, JsonObject } from '../domain/json.js';
import { resultsOfAgents, resultsOfOthers, wasSkipped } from '../prompts/calls.js';
import { type Exchange, NO_HISTORY, textTask } from './activation-call.js';
import { joinBranches } from './join.js';
import { mergeWaits, type Parked } from './park.js';
import { callKey } from './plan-calls.js';
import type { AgentResult } from './results.js';
import type { RunServices } from './services.js';
import type { CallAnswer, DelegateCall, Dispatch, Dispatched } from './tool-call.js';
import { dependencyWaves } from './waves.js';

interface Branch {
  readonly childId: string;
  readonly key: string;
  readonly task: string;
}

/**
 * Runs the children that were asked; where children depend on each other, all of them in waves
 * (docs/design/execution.md#delegation).
 */
export async function runDelegations(
  services: RunServices,
  dispatch: Dispatch,
  calls: readonly DelegateCall[],
): Promise<Dispatched> {
  if (calls.length === 0) return { kind: 'answered', answers: [], results: {}, notes: [] };
  const { node } = dispatch.activation;
  if (node.children.some((child) => child.dependsOn.length > 0)) return runWaves(services, dispatch, calls);
  const branches = calls.map(({ index, childId, task }) => ({
    childId,
    task,
    key: callKey(dispatch.turnKey, { index, name: childId }),
  }));
  const results = await runBranches(services, dispatch, branches);
  return (
    firstFailure(calls, results) ??
    parkedOf(results) ?? {
      kind: 'answered',
      answers: answersOf(calls, results),
      results: outputsOf(calls, results),
      notes: [],
    }
  );
}

async function runWaves(
  services: RunServices,
  dispatch: Dispatch,
  calls: readonly DelegateCall[],
): Promise<Dispatched> {
  const { node } = dispatch.activation;
  const done = new Map<string, AgentResult>();
  for (const wave of dependencyWaves(node.children)) {
    const able = wave.filter((child) => child.dependsOn.every((id) => isUsable(done.get(id))));
    for (const child of wave) if (!able.includes(child)) done.set(child.id, heldBack(child, done));
    const branches = able.map((child) => ({
      childId: child.id,
      key: `${dispatch.turnKey}/${child.id}`,
      task: waveTask(child, taskOf(child, calls), done),
    }));
    const results = await runBranches(services, dispatch, branches);
    const failure = firstFailure(branches, results);
    if (failure !== null) return failure;
    for (const [index, branch] of branches.entries())
      done.set(branch.childId, results[index] ?? skipped(branch.childId));
  }
  const all = node.children.map((child) => ({ childId: child.id, result: done.get(child.id) ?? skipped(child.id) }));
  const results = all.map((one) => one.result);
  const parked = parkedOf(results);
  if (parked !== null) return parked;
  const called = calls.map((call) => done.get(call.childId) ?? skipped(call.childId));
  return {
    kind: 'answered',
    answers: answersOf(calls, called),
    results: outputsOf(all, results),
    notes: notesOf(calls, all),
  };
}

/**
 * A child runs once in the waves of a response: what several calls ask of it is one task. One that
 * nobody called gets the first.
 */
function taskOf(child: AgentNode, calls: readonly DelegateCall[]): string {
  const own = calls.filter((call) => call.childId === child.id).map((call) => call.task);
  return own.length === 0 ? (calls[0]?.task ?? '') : own.join('\n\n');
}

const isUsable = (result: AgentResult | undefined): boolean => result === undefined || result.status === 'ok';

/**
 * A child whose dependency waits for people waits with it; one whose dependency was denied is
 * skipped.
 */
function heldBack(child: AgentNode, done: ReadonlyMap<string, AgentResult>): AgentResult {
  const before = child.dependsOn.map((id) => done.get(id)?.status);
  return before.includes('parked') && !before.includes('denied') ? { status: 'parked', waits: [] } : skipped(child.id);
}

const skipped = (childId: string): AgentResult => ({
  status: 'denied',
  reason: wasSkipped(childId),
  needs: [],
});

/** What an agent of a later wave is told: the results it depends on as data, then its task. */
function waveTask(child: AgentNode, task: string, done: ReadonlyMap<string, AgentResult>): string {
  const results: [string, Json][] = child.dependsOn.flatMap((id) => {
    const result = done.get(id);
    return result?.status === 'ok' ? [[id, result.output] as [string, Json]] : [];
  });
  if (results.length === 0) return task;
  return resultsOfAgents(JSON.stringify(Object.fromEntries(results)), task);
}

function runBranches(
  services: RunServices,
  dispatch: Dispatch,
  branches: readonly Branch[],
): Promise<readonly (AgentResult | null)[]> {
  const { activation: parent, activate, ledger } = dispatch;
  const { children } = parent.node;
  return joinBranches(
    branches.map((branch) => {
      // As it is before any of them answers.
      const exchanges = ledger.exchanges.get(branch.childId);
      const history = exchanges === undefined ? NO_HISTORY : { exchanges, count: exchanges.length };
      return () => {
        const node = children.find(({ id }) => id === branch.childId);
        if (node === undefined) throw new Error(`no child ${branch.childId}`);
        return activate({ key: branch.key, parentKey: parent.key, node, task: textTask(branch.task), history });
      };
    }),
    { isFailure, abort: services.abort },
  ).then((results) => {
    for (const [index, branch] of branches.entries()) remember(dispatch, branch, results[index] ?? null);
    return results;
  });
}

const isFailure = (result: AgentResult): boolean => result.status === 'failed';

/** In call order, so that every replay tells a child the same history. */
function remember({ ledger }: Dispatch, branch: Branch, result: AgentResult | null): void {
  if (result?.status !== 'ok') return;
  const exchange: Exchange = { task: branch.task, answer: result.output };
  const known = ledger.exchanges.get(branch.childId);
  // Most children are asked once: a list that grows keeps room for more.
  if (known === undefined) ledger.exchanges.set(branch.childId, [exchange]);
  else known.push(exchange);
}

function firstFailure(
  branches: readonly { readonly childId: string }[],
  results: readonly (AgentResult | null)[],
): Extract<Dispatched, { kind: 'failed' }> | null {
  for (const [index, branch] of branches.entries()) {
    const result = results[index];
    if (result?.status === 'failed')
      return {
        kind: 'failed',
        childId: branch.childId,
        reason: result.reason,
        message: result.message,
        data: result.data,
      };
  }
  return null;
}

/** Null when nobody of them waits for people. */
function parkedOf(results: readonly (AgentResult | null)[]): (Parked & { readonly kind: 'parked' }) | null {
  const parked = results.flatMap((result) => (result?.status === 'parked' ? [result.waits] : []));
  return parked.length === 0 ? null : { kind: 'parked', parked: mergeWaits(parked.flat()) };
}

function answersOf(calls: readonly DelegateCall[], results: readonly (AgentResult | null)[]): readonly CallAnswer[] {
  return calls.map((call, index) => {
    const result = results[index];
    if (result?.status === 'ok')
      return { index: call.index, id: call.id, name: call.name, output: result.output, isError: false };
    const denied: JsonObject =
      result?.status === 'denied'
        ? { status: 'denied', reason: result.reason, needs: [...result.needs] }
        : { status: 'failed' };
    return { index: call.index, id: call.id, name: call.name, output: denied, isError: true };
  });
}

function outputsOf(
  branches: readonly { readonly childId: string }[],
  results: readonly (AgentResult | null)[],
): JsonObject {
  return Object.fromEntries(
    branches.flatMap((branch, index) => {
      const result = results[index];
      return result?.status === 'ok' ? [[branch.childId, result.output] as const] : [];
    }),
  );
}

/**
 * Children that ran only because others depend on them have no call to answer: their results are
 * told beside.
 */
function notesOf(
  calls: readonly DelegateCall[],
  all: readonly { readonly childId: string; readonly result: AgentResult }[],
): readonly string[] {
  const uncalled = all.filter(
    (one) => one.result.status === 'ok' && !calls.some((call) => call.childId === one.childId),
  );
  if (uncalled.length === 0) return [];
  const results = Object.fromEntries(
    uncalled.map((one) => [one.childId, one.result.status === 'ok' ? one.result.output : null]),
  );
  return [resultsOfOthers(JSON.stringify(results))];
}
