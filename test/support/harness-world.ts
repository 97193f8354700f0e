import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { contribution } from '../../plugins/harness/src/executor.js';
import type { OnInDoubt } from '../../src/domain/journal.js';
import type { JsonObject } from '../../src/domain/json.js';
import { createTestContext } from '../../src/sdk/testing.js';
import { createClock } from '../../src/system/clock.js';
import { createProcesses } from '../../src/system/processes/processes.js';
import { readWorkerHost } from '../../src/system/worker-host.js';
import { createWorktrees } from '../../src/system/worktrees/worktrees.js';
import { fakeClaudeSpec, scripted, type Turns } from './fake-claude.js';
import type { TestRepository } from './repository.js';
import { agent, type World, type WorldOptions } from './run-world.js';

export interface HarnessWorld extends Partial<WorldOptions> {
  readonly repository: TestRepository;
  readonly turns: Turns;
  /** `allow execute npm test`: the answer, the kind, and what it is about where it is not all. */
  readonly permissions?: readonly string[];
  readonly onInDoubt?: OnInDoubt;
  /** The program; default: the one that plays Claude Code. */
  readonly spec?: JsonObject;
  /** Other keys of `executor.config`. */
  readonly config?: JsonObject;
  /** Archetype of the agent; absent: it has none. */
  readonly archetype?: string;
  /** Ids of `skills` that the agent holds; default: all of them. */
  readonly held?: readonly string[];
  readonly requires?: Readonly<Record<string, readonly string[]>>;
  /** The world with the tools of a server. */
  readonly with?: (options: WorldOptions) => WorldOptions;
}

/** Such an entry as an archetype has it. */
function permission(text: string): JsonObject {
  const [answer = '', kind = '', ...match] = text.split(' ');
  const entries = [['kind', kind], ...(match.length === 0 ? [] : [['match', match.join(' ')]]), ['then', answer]];
  return Object.fromEntries(entries) as JsonObject;
}

/** A run of one agent that the fake program carries out. */
export function openHarness(
  open: (options: WorldOptions) => Promise<World>,
  {
    repository,
    turns,
    permissions,
    onInDoubt = 'ask',
    spec = fakeClaudeSpec(),
    config = {},
    archetype,
    with: dressed = (options) => options,
    held,
    requires = {},
    ...over
  }: HarnessWorld,
): Promise<World> {
  const options: WorldOptions = {
    root: agent('coder', {
      role: 'root',
      systemPrompt: scripted(turns),
      requires,
      skills: held ?? (over.skills ?? []).map(({ id }) => id),
      ...(archetype === undefined ? {} : { archetype }),
      executor: {
        kind: 'harness',
        ref: 'claude-code',
        config: { ...config, ...(permissions === undefined ? {} : { permissions: permissions.map(permission) }) },
        onInDoubt,
      },
    }),
    script: () => 'unused',
    snapshot: { adapters: { 'claude-code': { spec, digest: 'd', source: 'bundled' } } },
    facilities: () => harnessFacilities(repository),
    ...over,
  };
  return open(dressed(options));
}

export const harnessFacilities = (repository: TestRepository) => ({
  executor: async () => contribution.create({}, createTestContext({ clock: createClock() })),
  processes: createProcesses({ graceMs: 400, drainMs: 300 }),
  worktrees: createWorktrees({ env: repository.env, owner: readWorkerHost(), tempRoot: repository.temp }),
  workspaceRoot: repository.root,
  childEnv: repository.env,
});

/** Lines of a file that commands of the session append to; [] = it is not there. */
export function linesOf(path: string): readonly string[] {
  try {
    return readFileSync(path, 'utf8').trim().split('\n');
  } catch {
    return [];
  }
}

/** Where commands of a session write what must not happen twice: outside every worktree. */
export const effectsOf = (repository: TestRepository): string => join(repository.base, 'effects');
