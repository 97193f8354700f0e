import { describe, expect, it } from 'vitest';
import { inboxTests } from './inboxes.js';

const { desk, world } = inboxTests();

describe('several items in the inbox', () => {
  it('that ask the same are decided together, after their number and a question', async () => {
    const at = await desk(3);
    const terminal = at.inbox();
    await terminal.sees(/1 of 3[\s\S]*^> qa .*run [0-9a-f]{6,12}/m);
    terminal.type('M');
    await terminal.sees(/3 marked/);
    terminal.type('a');
    await terminal.sees(/approve, with a comment/);
    terminal.type('together\r');
    await terminal.sees(/approve 3 items of release for qa as qa-1: together\? y decides/);
    expect(at.item(at.task('qa'))).toMatchObject({ status: 'pending' });
    terminal.type('y');
    await terminal.sees(/3 of 3 recorded/);
    expect(at.item(at.task('qa'))).toEqual({ status: 'approved', resolved_by: 'qa-1', comment: 'together' });
    terminal.type('q');
    expect(await terminal.ended).toBe(0);
    expect(terminal.all().join('\n')).toContain('3 decisions recorded');
  });

  it('are found with /, and go away by themselves when somebody else decides', async () => {
    const at = await desk(2);
    const terminal = at.inbox();
    await terminal.sees(/1 of 2/);
    terminal.type(`/${at.job.slice(0, 8)}`);
    await terminal.sees(/1 of 1 that fit, of 2/);
    terminal.type('\r');
    await terminal.sees(/enter open/);
    const other = await world().kit(['review', 'approve', at.task('qa'), at.dir, '--as', 'qa-2']);
    expect(other.code).toBe(0);
    // No key is pressed.
    await terminal.sees(/nothing fits the filter/);
    terminal.type('\u001b');
    await terminal.sees(/1 of 1 {2}\(qa\)/);
    terminal.type('q');
    expect(await terminal.ended).toBe(0);
  });
});
