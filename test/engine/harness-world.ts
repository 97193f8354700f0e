import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import { contribution } from '../../plugins/harness/src/executor.js';
import type { AgentNode } from '../../src/domain/agent-node.js';
import type { JsonObject } from '../../src/domain/json.js';
import type { Worktrees } from '../../src/domain/ports/worktrees.js';
import { createTestContext } from '../../src/sdk/testing.js';
import { createClock } from '../../src/system/clock.js';
import { createProcesses } from '../../src/system/processes/processes.js';
import { readWorkerHost } from '../../src/system/worker-host.js';
import { createWorktrees } from '../../src/system/worktrees/worktrees.js';
import { createRepository, type TestRepository } from '../support/repository.js';
import { agent, type World, type WorldOptions } from '../support/run-world.js';
import { lawfulWorlds } from './laws.js';

const SAY =
  'const fs = require("fs"); const say = (x) => fs.writeSync(1, JSON.stringify(x) + "\\n"); const done = (text) => say({ type: "done", text });';

export function adapter(
  script: string,
  command: readonly string[] = ['{runtime.node}', '-e', `${SAY}\n${script}`, '{task.statement}'],
): JsonObject {
  return {
    launch: { command: [...command] },
    stream: { format: 'jsonl' },
    event_map: [
      { when: { type: 'text' }, emit: [{ event: 'message', with: { text: '$.text' } }] },
      { when: { type: 'done' }, emit: [{ event: 'result', with: { status: 'success', output: '$.text' } }] },
    ],
  };
}

export const harness = (id: string, over: Partial<AgentNode> = {}, budget: JsonObject = {}): AgentNode =>
  agent(id, { executor: { kind: 'harness', ref: 'tiny', config: { budget }, onInDoubt: 'repeat' }, ...over });

export interface Given extends Partial<WorldOptions> {
  readonly adapter: JsonObject;
  readonly worktrees?: (real: Worktrees) => Worktrees;
}

/** Worlds whose agents are carried out by programs of a test, in a repository of its own each. */
export function harnessWorlds() {
  const open = lawfulWorlds();
  let repository: TestRepository;
  beforeEach(() => {
    repository = createRepository({ 'a.txt': 'a\n' });
  });
  afterEach(() => repository.dispose());

  async function started(given: Given): Promise<World> {
    const { adapter: spec, worktrees = (real: Worktrees) => real, facilities = () => ({}), ...options } = given;
    return open({
      root: harness('root', { role: 'root' }),
      script: () => 'unused',
      snapshot: { adapters: { tiny: { spec, digest: 'd', source: 'bundled' } } },
      facilities: (base) => ({
        executor: async () => contribution.create({}, createTestContext({ clock: createClock() })),
        processes: createProcesses({ graceMs: 400, drainMs: 300 }),
        worktrees: worktrees(
          createWorktrees({ env: repository.env, owner: readWorkerHost(), tempRoot: repository.temp }),
        ),
        workspaceRoot: repository.root,
        childEnv: repository.env,
        ...facilities(base),
      }),
      ...options,
    });
  }

  async function run(given: Given): Promise<World> {
    const world = await started(given);
    await world.run();
    return world;
  }

  const nothingLeft = (): void => {
    expect(readdirSync(repository.temp)).toEqual([]);
    expect(existsSync(join(repository.root, '.git', 'worktrees'))).toBe(false);
  };

  return { open, started, run, nothingLeft, repository: () => repository };
}
