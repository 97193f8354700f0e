import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { decodeAgtConfig } from '../../../plugins/governance/src/agt-config.js';
import { createAgt } from '../../../plugins/governance/src/agt-provider.js';
import type { JsonObject } from '../../../src/domain/json.js';
import type {
  Decision,
  GovernanceProvider,
  PolicyProblem,
  PolicyRequest,
  PolicyWorkspace,
} from '../../../src/domain/ports/governance.js';

const ALWAYS = new AbortController().signal;

/** A provider over real policy files, with a clock that a test turns. */
export interface AgtWorld {
  readonly provider: GovernanceProvider;
  readonly workspace: PolicyWorkspace;
  /** Milliseconds; policies are looked at again a second after the last look. */
  nowMs: number;
  write(name: string, text: string | Uint8Array): Promise<void>;
  check(): Promise<readonly PolicyProblem[]>;
  decide(request?: Partial<PolicyRequest>): Promise<Decision>;
}

export async function agtWorld(
  files: Readonly<Record<string, string | Uint8Array>>,
  config: JsonObject = {},
  fetch: typeof globalThis.fetch = globalThis.fetch,
): Promise<AgtWorld> {
  const root = await mkdtemp(join(tmpdir(), 'kit-agt-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  await mkdir(join(root, 'policies'));
  const write = (name: string, text: string | Uint8Array): Promise<void> =>
    writeFile(join(root, 'policies', name), text);
  for (const [name, text] of Object.entries(files)) await write(name, text);
  const workspace: PolicyWorkspace = {
    root,
    agents: ['lead', 'writer'],
    skills: ['search', 'publish'],
    commands: ['git:push', 'git:status'],
    servers: ['files'],
  };
  const clock = {
    now: () => world.nowMs,
    sleep: () => new Promise<void>(() => {}),
  };
  const world: AgtWorld = {
    provider: createAgt(decodeAgtConfig(config), { clock, fetch }),
    workspace,
    nowMs: Date.parse('2026-01-01T00:00:00Z'),
    write,
    check: async () => (await world.provider.check?.(workspace, ALWAYS)) ?? [],
    decide: async (request = {}) => world.provider.evaluate(requestOf(request), ALWAYS),
  };
  return world;
}

export const requestOf = (over: Partial<PolicyRequest>): PolicyRequest => ({
  agentId: 'writer',
  action: 'command:call:git:push',
  scopesRequired: [],
  context: { role: 'worker', skill: 'publish', effects: 'write', base_scope: [] },
  ...over,
});
