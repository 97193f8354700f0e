import { expect, it } from 'vitest';
import type { ServerTool } from '../../../src/domain/ports/tools.js';
import { fakeServer, serverTool, toolSkill } from '../../support/fake-tools.js';
import { answer, goOn, isOpenItem, reviews, typesOf } from '../../support/gated.js';
import { agent, call, type World } from '../../support/run-world.js';
import { lawfulWorlds, payloadsOf } from '../laws.js';
import { withTools } from './tool-world.js';

const open = lawfulWorlds();

/** The process is gone while the call is under way, and another one goes on with the run. */
async function cutOff(hints: Partial<ServerTool['hints']>) {
  const leave = new AbortController();
  let isFirst = true;
  const server = fakeServer(
    [serverTool('wipe', { hints: { readOnly: null, destructive: null, idempotent: null, ...hints } })],
    ({ stepId }) => {
      if (!isFirst) return { parts: [{ type: 'text', text: `wiped ${stepId}` }], structured: null, isError: false };
      isFirst = false;
      leave.abort();
      return new Promise(() => {});
    },
  );
  const reported: unknown[] = [];
  const world: World = await open(
    withTools(server.source, {
      root: agent('root', { role: 'root', skills: ['wipe'] }),
      skills: [toolSkill('wipe')],
      script: ({ turn, request }) => {
        for (const part of request.messages.at(-1)?.parts ?? [])
          if (part.type === 'tool_result') reported.push(part.output);
        return turn === 0 ? [call('wipe', { text: 'all' })] : 'told';
      },
    }),
  );
  await world.run({ abort: leave.signal });
  await world.runClaim(await world.resume());
  return { world, server, told: reported };
}

it('a call in doubt of a tool that its server calls destructive is put before a person', async () => {
  const { world, server, told: reported } = await cutOff({ destructive: true });

  expect(server.calls).toHaveLength(1);
  const item = (await reviews(world)).items.find(isOpenItem);
  expect(item).toMatchObject({ kind: 'other', skillId: 'wipe', reason: 'it is not known whether wipe took effect' });
  expect(payloadsOf(await world.events(), 'step.in_doubt')).toMatchObject([{ effects: 'destructive', action: 'ask' }]);

  await answer(world, { action: 'answer', text: 'it was wiped' });
  await goOn(world);
  expect(reported).toEqual(['it was wiped']);
  expect(server.calls).toHaveLength(1);
});

it('any other is made again with the same step id, and that is said', async () => {
  const { world, server } = await cutOff({ readOnly: false });

  expect(server.calls).toHaveLength(2);
  expect(server.calls[0]?.stepId).toBe(server.calls[1]?.stepId);
  expect(await typesOf(world)).toContain('step.repeated');
  expect(await world.row()).toMatchObject({ status: 'completed' });
});
