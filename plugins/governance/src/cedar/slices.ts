import { hash } from 'node:crypto';
import { type PolicyScope, scopeOf } from './scope.js';

type Cedar = typeof import('@cedar-policy/cedar-wasm/nodejs');

/** The policies that can bear on one kind of action of one agent, parsed once. */
export interface Slice {
  /** Under which Cedar keeps them; null = there are none. */
  readonly setId: string | null;
  /** Attributes of the context that they read; null = all. */
  readonly attributes: ReadonlySet<string> | null;
}

export interface Slices {
  /** Throws what Cedar says against a policy. */
  sliceFor(kind: string, agent: string): Slice;
}

interface Scoped extends PolicyScope {
  readonly id: string;
  readonly text: string;
}

/**
 * Cedar takes some microseconds for each policy of a set, whether its head matches or not, and for
 * each attribute of the context, read or not. So each kind of action and each agent that some
 * policy names has a set of its own; all other agents share one. There are as many as kinds and
 * named agents, and each is made when it is first asked for.
 */
export function createSlices(cedar: Cedar, policies: Readonly<Record<string, string>>): Slices {
  const scoped = Object.entries(policies).map(([id, text]): Scoped => ({ id, text, ...readScope(cedar, text) }));
  const named = new Set(scoped.flatMap(({ agent }) => (agent === null ? [] : [agent])));
  const known = new Map<string, Slice>();
  return {
    sliceFor: (kind, agent) => {
      const whose = named.has(agent) ? agent : null;
      const key = JSON.stringify([kind, whose]);
      const slice =
        known.get(key) ??
        prepare(
          cedar,
          scoped.filter(({ kinds, agent: only }) => (kinds?.has(kind) ?? true) && (only === null || only === whose)),
        );
      known.set(key, slice);
      return slice;
    },
  };
}

/** A policy that cannot be read by itself is about everything. */
function readScope(cedar: Cedar, text: string): PolicyScope {
  const answer = cedar.policyToJson(text);
  return answer.type === 'success' ? scopeOf(answer.json) : { kinds: null, agent: null, attributes: null };
}

function prepare(cedar: Cedar, policies: readonly Scoped[]): Slice {
  if (policies.length === 0) return { setId: null, attributes: new Set() };
  const staticPolicies = Object.fromEntries(policies.map(({ id, text }) => [id, text]));
  // What Cedar keeps lives as long as the process; a set of the same text is the same set.
  const setId = hash('sha256', JSON.stringify(staticPolicies), 'hex');
  const answer = cedar.preparsePolicySet(setId, { staticPolicies });
  if (answer.type === 'failure') throw new Error(answer.errors[0]?.message ?? 'the policies do not parse');
  const isBounded = policies.every(({ attributes }) => attributes !== null);
  return {
    setId,
    attributes: isBounded ? new Set(policies.flatMap(({ attributes }) => [...(attributes ?? [])])) : null,
  };
}
