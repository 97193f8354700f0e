import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/domain/json.js';
import { lawfulWorlds, payloadsOf } from '../../engine/laws.js';
import { realRuntime } from '../../support/container-runtimes.js';
import { bash, fakeClaudeSpec } from '../../support/fake-claude.js';
import { answer, goOn, isOpenItem, reviews } from '../../support/gated.js';
import { harnessFacilities, openHarness } from '../../support/harness-world.js';
import { createRepository, type TestRepository } from '../../support/repository.js';

const runtime = realRuntime('the gate of a harness in a container');
afterAll(() => runtime?.dispose());
const open = lawfulWorlds();

const PROGRAM = ['fake-claude.mjs', 'fake-claude-calls.mjs'];
const source = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`../../support/${name}`, import.meta.url)), 'utf8');

let repository: TestRepository;
beforeEach(() => {
  repository = createRepository(Object.fromEntries(PROGRAM.map((name) => [name, source(name)])));
});
afterEach(() => repository.dispose());

/** The program that plays Claude Code, as it lies in the container. */
function contained(image: string): JsonObject {
  const spec = fakeClaudeSpec() as JsonObject & { launch: JsonObject & { command: readonly string[] } };
  const [, , ...args] = spec.launch.command;
  return {
    ...spec,
    sandbox: { kind: 'container', image },
    launch: { ...spec.launch, command: ['node', '/workspace/fake-claude.mjs', ...args] },
  };
}

describe.skipIf(runtime === null)('a harness in a container', () => {
  it('asks kit about each call from there, and goes on with the session once people have decided', async () => {
    const world = await openHarness(open, {
      repository,
      spec: contained(runtime?.image ?? ''),
      turns: [
        [{ call: 'Write', input: { file_path: '/workspace/note.md', content: 'n\n' } }],
        [{ call: 'Write', input: { file_path: '/home/kit/outside.md', content: 'o\n' } }],
        [bash('echo ran >> ran.txt')],
        [{ say: 'All done.' }],
      ],
      permissions: ['deny edit /home/**', 'deny network'],
      facilities: () => ({
        ...harnessFacilities(repository),
        containers: { runtime: runtime?.env.KIT_CONTAINER_RUNTIME ?? null, image: null, isDisabled: false },
      }),
    });

    expect(await world.run()).toMatchObject({ kind: 'parked' });
    expect(runtime?.containers()).toEqual([]);
    expect((await reviews(world)).items.find(isOpenItem)).toMatchObject({
      details: { tool: 'Bash', input: { command: 'echo ran >> ran.txt' }, exactness: 'exact' },
    });
    await answer(world, { action: 'approve' });
    expect(await goOn(world)).toMatchObject({ kind: 'ended', end: { status: 'completed', output: 'All done.' } });

    const answers = payloadsOf(await world.events(), 'executor.permission');
    expect(answers.map(({ subject, answer: said }) => `${said} ${subject}`)).toEqual([
      'denied /home/kit/outside.md',
      'deferred echo ran >> ran.txt',
      'granted echo ran >> ran.txt',
    ]);
    const diff = (await world.stores.jobs.diffs(world.job.id))?.coder ?? '';
    expect(diff).toContain('+++ b/note.md');
    expect(diff.match(/^\+ran$/gm)).toHaveLength(1);
    expect(runtime?.containers()).toEqual([]);
  }, 240_000);
});
