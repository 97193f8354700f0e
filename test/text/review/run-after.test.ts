import { expect, it } from 'vitest';
import type { Job } from '../../../src/domain/job.js';
import { runAfterText } from '../../../src/text/item-text.js';

it('leaves the line that goes on with a run out where a server does it', () => {
  const job = { id: '0123456789ab', status: 'pending', topology: 'release', error: null, needs: {} } as Job;
  const told = (workspaceArgument: string): string =>
    runAfterText({ job, resumed: 'left', why: 'it goes on' }, { workspaceArgument, color: false, width: null });

  expect(told('https://kit.test')).toMatch(/is pending; it goes on$/);
  expect(told('shop')).toContain('go on here: kit run shop release --resume=0123456789ab');
});
