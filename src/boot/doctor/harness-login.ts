import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
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
  const looked = paths.filter((path) => path.startsWith('~/')).map((path) => placeOf(path, { home, env }));
  return looked.find(({ place }) => !existsSync(place))?.shown ?? null;
}

/** Folders that a variable has put elsewhere, as the programs themselves look for them. */
const MOVED = [
  ['~/.local/share/', 'XDG_DATA_HOME'],
  ['~/.config/', 'XDG_CONFIG_HOME'],
] as const;

function placeOf(
  path: string,
  { home, env }: { readonly home: string; readonly env: NodeJS.ProcessEnv },
): { readonly place: string; readonly shown: string } {
  for (const [folder, variable] of MOVED) {
    const moved = env[variable];
    if (!moved || !isAbsolute(moved) || !path.startsWith(folder)) continue;
    const place = join(moved, path.slice(folder.length));
    return { place, shown: place };
  }
  return { place: join(home, path.slice(2)), shown: path };
}
