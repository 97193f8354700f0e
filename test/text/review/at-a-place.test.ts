import { expect, it } from 'vitest';
import type { Job } from '../../../src/domain/job.js';
import { itemsText, runAfterText } from '../../../src/text/item-text.js';
import { askedSample } from '../../support/asked-samples.js';
import { gateOf, taskOf } from '../../support/review-samples.js';

it('leaves the line that goes on with a run out where a server does it', () => {
  const job = { id: '0123456789ab', status: 'pending', topology: 'release', error: null, needs: {} } as Job;
  const told = (workspaceArgument: string): string =>
    runAfterText({ job, resumed: 'left', why: 'it goes on' }, { workspaceArgument, color: false, width: null });

  expect(told('https://kit.test')).toMatch(/is pending; it goes on$/);
  expect(told('shop')).toContain('go on here: kit run shop release --resume=0123456789ab');
});

it('keeps whether somebody can decide on a terminal of 60 columns, and fits it', () => {
  const task = taskOf(gateOf('0123456789ab'), 'qa');
  const you = { canDecide: true, whyNot: null };
  const page = {
    items: [task],
    total: 1,
    hasMore: false,
    elsewhere: [],
    asked: new Map([[task.id, { ...askedSample(), you }]]),
  };
  const lines = itemsText(page, { workspaceArgument: '', color: false, width: 60, all: false }).split('\n');

  expect(lines[1]).toMatch(/^mpa-\S+ .*can decide$/);
  expect(lines.filter((line) => line.length > 60)).toEqual([]);
});
