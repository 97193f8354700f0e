import { afterEach, describe, expect, test } from 'vitest';
import { withTools } from '../../../engine/tools/tool-world.js';
import type { ScriptedAnswer } from '../../../support/components/provider-servers/protocol.js';
import { startProviderServer } from '../../../support/components/provider-servers/server.js';
import { fakeServer, serverTool, toolSkill } from '../../../support/fake-tools.js';
import { agent, openWorld } from '../../../support/run-world.js';
import { familyProvider } from '../helpers.js';
import { bundledConfig, contributionOf, FAMILIES, type FamilyCase, KEY, KEY_VARIABLE } from './family-cases.js';

let closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closing.map((close) => close()));
  closing = [];
});

const PNG = 'iVBORw0KGgo=';
const PDF = Buffer.from('%PDF-1.7 pages').toString('base64');
const TAKES_PDF = ['anthropic', 'openai', 'google'];

const calls = (id: string, name: string, args: Readonly<Record<string, unknown>>): ScriptedAnswer => ({
  calls: [{ id, name, arguments: args }],
});

/** A worker that is not an entry agent calls a tool, which answers a picture and a PDF. */
async function looked(family: FamilyCase, capabilities: Readonly<Record<string, boolean>> = {}) {
  const server = await startProviderServer(family.protocol);
  closing.push(() => server.close());
  const answers = [calls('1', 'delegate_to_worker', { task: 'look' }), calls('2', 'look', { text: 'it' })];
  server.script(...[...answers, { text: 'seen' }, { text: 'done' }].map((one) => ({ do: 'answer', ...one }) as const));
  const config = { ...bundledConfig(family.id, server.url), capabilities };
  const provider = await familyProvider(contributionOf(family.id), config, { env: { [KEY_VARIABLE]: KEY } });
  const tools = fakeServer([serverTool('look')], () => ({
    parts: [
      ...(capabilities.images === false ? [] : [{ type: 'image', mediaType: 'image/png', data: PNG } as const]),
      { type: 'document', mediaType: 'application/pdf', name: 'report.pdf', data: PDF },
    ],
    structured: null,
    isError: false,
  }));
  const model = { provider: 'fake', model: family.model, toolProvider: 'fake', toolModel: family.model };
  const world = await openWorld(
    withTools(tools.source, {
      root: agent('root', { role: 'root', children: [agent('worker', { skills: ['look'] })] }),
      skills: [toolSkill('look', { effects: 'read' })],
      snapshot: { models: { root: model, worker: model } },
      script: () => 'nobody asks the script',
      facilities: () => ({ provider: async () => provider }),
    }),
  );
  closing.push(world.close);
  await world.run();
  expect(server.problems).toEqual([]);
  expect(await world.row()).toMatchObject({ status: 'completed', output: 'done' });
  return JSON.stringify(server.requests[2]?.body);
}

describe.each(FAMILIES)('what a tool answers beside texts, over $id', (family) => {
  test('reaches the agent that called it, and a PDF that the family does not take is named', async () => {
    const sent = await looked(family);

    expect(sent).toContain('Images and documents that look answered:');
    expect(sent).toContain(PNG);
    expect(sent.includes(PDF)).toBe(TAKES_PDF.includes(family.id));
    expect(sent.includes('(report.pdf, a PDF of 14 bytes, is not shown: the provider fake takes no PDFs)')).toBe(
      !TAKES_PDF.includes(family.id),
    );
  });
});

test('a provider that is declared without images is shown no PDF', async () => {
  const family = FAMILIES.find(({ id }) => id === 'anthropic');
  if (family === undefined) throw new Error('there is no case for anthropic');

  const sent = await looked(family, { images: false });

  expect(sent).not.toContain(PDF);
  expect(sent).toContain('takes no PDFs');
});
