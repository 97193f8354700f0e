import { appendFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { itemLines } from '../../../src/text/lines/gate-actions.js';
import { bash } from '../../support/fake-claude.js';
import { answer, goOn, isOpenItem, reviews } from '../../support/gated.js';
import { effectsOf, linesOf, openHarness } from '../../support/harness-world.js';
import { until } from '../../support/processes.js';
import { createRepository, type TestRepository } from '../../support/repository.js';
import { lawfulWorlds } from '../laws.js';

const open = lawfulWorlds();
let repository: TestRepository;
beforeEach(() => {
  repository = createRepository({ 'a.txt': 'a\n' });
});
afterEach(() => repository.dispose());

it('a session whose process died asks for yes or no, and names the command that says it', async () => {
  const effects = effectsOf(repository);
  const script = `${effects}.sh`;
  writeFileSync(script, `echo ran >> ${effects}; while ! grep -q go ${effects}; do sleep 0.02; done`);
  const world = await openHarness(open, {
    repository,
    turns: [[bash(`sh ${script}`)], [{ say: 'All done.' }]],
    permissions: ['allow execute sh *'],
  });
  const abort = new AbortController();
  const running = world.run({ abort: abort.signal });
  await until('the session is at work', () => linesOf(effects).length > 0);
  abort.abort();
  await running;
  appendFileSync(effects, 'go\n');
  expect(await world.runClaim(await world.resume())).toMatchObject({ kind: 'parked' });

  const item = (await reviews(world)).items.find(isOpenItem);
  expect(item).toMatchObject({ kind: 'other', options: [], freeTextAllowed: false });
  expect(item?.question).toContain('Approve to let the session go on, or reject to end it.');
  if (item !== undefined)
    expect(itemLines(item, { workspaceArgument: '' }).join('\n')).toContain(`kit review approve ${item.id}`);
  await answer(world, { action: 'approve' });
  expect(await goOn(world)).toMatchObject({ kind: 'ended', end: { status: 'completed' } });
});
