import { expect, it } from 'vitest';
import type { ModelRequest } from '../../../src/domain/ports/model.js';
import { agent, openWorld } from '../../support/run-world.js';

const MEMORY = {
  enabled: true,
  maxResults: 5,
  similarityThreshold: 0.15,
  searchScope: 'user',
  minOutputLength: 4,
} as const;

/** What whoever chooses what is remembered is asked; the agent has settings of its own. */
async function curatorOf(ruleSet: number): Promise<ModelRequest> {
  const asked: ModelRequest[] = [];
  const root = agent('root');
  const options = { thinking: { type: 'enabled', budget_tokens: 2000 } };
  const world = await openWorld({
    root: { ...root, model: { ...root.model, maxTokens: 50, effort: 'high', options } },
    snapshot: { memory: MEMORY, ruleSet },
    script: ({ agent: id, request }) => {
      if (id === '') asked.push(request);
      return id === '' ? '{"memories": []}' : 'a result that is long enough';
    },
  });
  try {
    await world.run();
  } finally {
    await world.close();
  }
  const [request] = asked;
  if (request === undefined) throw new Error('nobody was asked');
  return request;
}

const questionIn = ({ messages }: ModelRequest): unknown => {
  const [part] = messages.at(-1)?.parts ?? [];
  return JSON.parse(part?.type === 'text' ? part.text : '');
};

it('the curator sees what the person asked, with nothing of the agent and room to answer', async () => {
  const request = await curatorOf(5);

  expect(questionIn(request)).toMatchObject({ request: 'the task', work: [{ agent: 'root' }] });
  expect(request).toMatchObject({ maxTokens: 4000, options: {} });
  expect(request).not.toHaveProperty('effort');
  expect(request.outputSchema).toMatchObject({
    properties: { memories: { items: { required: expect.arrayContaining(['subject', 'value', 'relation']) } } },
  });
});

it('the curator of a run of before is asked what it always was', async () => {
  const request = await curatorOf(4);

  expect(questionIn(request)).not.toHaveProperty('request');
  expect(request.maxTokens).toBe(1000);
});
