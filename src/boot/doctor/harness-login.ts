import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentNode } from '../../domain/agent-node.js';
import type { Json, JsonObject } from '../../domain/json.js';
import { isObject } from '../../lib/json.js';

/** Agents of one adapter, and the spec of it. */
export interface HarnessUse {
  readonly id: string;
  readonly spec: JsonObject;
  readonly agents: readonly Pick<AgentNode, 'executor'>[];
}

const at = (value: Json | undefined, key: string): Json | undefined => (isObject(value) ? value[key] : undefined);

/** A login that agents of this adapter begin with and that is not there; null = none is. */
export function missingLogin({ id, spec, agents }: HarnessUse, env: NodeJS.ProcessEnv): string | null {
  const { HOME: home } = env;
  if (!home) return null;
  const own = agents.flatMap(({ executor }) =>
    executor.kind === 'harness' && executor.ref === id ? [executor.config] : [],
  );
  // A variable that is handed over may say that the login lies elsewhere.
  const modes = own
    .filter((config) => config.env === undefined)
    .map((config) => config.auth_mode ?? at(spec.auth, 'default'));
  const paths = modes.flatMap((mode) => {
    const named = typeof mode === 'string' ? at(at(at(spec.auth, 'modes'), mode), 'credential_paths') : undefined;
    return Array.isArray(named) ? named.filter((path) => typeof path === 'string') : [];
  });
  const isMoved = (path: string): boolean => Boolean(env.XDG_DATA_HOME) && path.startsWith('~/.local/share/');
  const isGone = (path: string): boolean => path.startsWith('~/') && !existsSync(join(home, path.slice(2)));
  return paths.find((path) => isGone(path) && !isMoved(path)) ?? null;
}
