import { expect, it } from 'vitest';
import { itemsText } from '../../../src/text/item-text.js';
import { HOSTILE } from '../../support/asked-samples.js';
import { itemOf } from '../../support/review-samples.js';

const GATE = { jobId: '0123456789ab', topology: 'front', agent: 'Desk', gateUrl: 'https://d.test/gates/g' };
const plain = { color: false, width: null, workspaceArgument: '', all: false };
const none = { items: [], total: 0, hasMore: false, asked: new Map(), elsewhere: [GATE] };

it('names below the items what people elsewhere decide, and where', () => {
  const pages = [none, { ...none, items: [itemOf('0123456789ab', 'ask-1')], total: 1 }];
  const line = 'run 0123456789ab of front waits for people of the agent Desk elsewhere: https://d.test/gates/g';
  expect(pages.map((page) => itemsText(page, plain).split('\n').at(-1))).toEqual([line, line]);
  expect(itemsText(none, plain)).toContain('nothing waits for a decision\n');
});

it('prints nothing of a stranger that moves a cursor', () => {
  const elsewhere = [{ ...GATE, topology: HOSTILE, agent: HOSTILE.repeat(9), gateUrl: `https://d.test/${HOSTILE}` }];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
  expect(itemsText({ ...none, elsewhere }, plain)).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
});
