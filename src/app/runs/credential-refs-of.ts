import { workersOf } from '../../compile/link/walk-agents.js';
import type { Json } from '../../domain/json.js';
import type { RunSnapshot } from '../../domain/snapshot.js';
import { credentialRefs } from '../../lib/credential-refs.js';

/** Templates in the texts of a value, and credentials that it names by a key. */
function refsIn(value: Json | undefined): readonly string[] {
  if (typeof value === 'string') return credentialRefs(value);
  if (Array.isArray(value)) return value.flatMap(refsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    typeof member === 'string' && /^credentials(Ref|_ref)$/.test(key) ? [member] : refsIn(member),
  );
}

// What is frozen is JSON; a type with readonly members is not its own index.
const asJson = (value: unknown): Json => value as Json;

/**
 * Credentials that a run may use: of its tool servers, commands, agents elsewhere, models, and
 * programs that carry out agents. What prompts say is not a reference.
 */
export function credentialRefsOf(snapshot: RunSnapshot): readonly string[] {
  const { skills, servers, providers, topology, funnels } = snapshot;
  const started = workersOf(topology.root, (id) => funnels?.[id]).flatMap(({ executor }) =>
    executor.kind === 'model' ? [] : refsIn(executor.config),
  );
  const called = Object.values(skills).flatMap(({ implementation }) =>
    implementation.type === 'command' || implementation.type === 'agent' ? refsIn(asJson(implementation)) : [],
  );
  const reached = Object.values(servers ?? {}).flatMap((server) => refsIn(asJson(server)));
  const asked = Object.values(providers).flatMap(({ config }) => refsIn(config));
  return [...new Set([...called, ...reached, ...asked, ...started])].sort();
}
