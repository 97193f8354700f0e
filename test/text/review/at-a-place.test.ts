import { expect, it } from 'vitest';
import type { Job } from '../../../src/domain/job.js';
import type { PastePlace } from '../../../src/lib/shell-word.js';
import { itemsText, runAfterText } from '../../../src/text/item-text.js';
import { resolveCommand } from '../../../src/text/lines/gate-actions.js';
import { commandLine } from '../../../src/view/situation/wire-situation.js';
import { askedSample } from '../../support/asked-samples.js';
import { gateOf, taskOf } from '../../support/review-samples.js';

/** What KIT_SERVER names. */
const SHELL: PastePlace = { inherited: 'https://kit.test' };
const PLAIN = { color: false, width: null } as const;

it('leaves the line that goes on with a run out where a server does it', () => {
  const job = { id: '0123456789ab', status: 'pending', topology: 'release', error: null, needs: {} } as Job;
  const told = (workspaceArgument: string): string =>
    runAfterText({ job, resumed: 'left', why: 'it goes on' }, { workspaceArgument, color: false, width: null });

  expect(told('https://kit.test')).toBe(
    'run 0123456789ab is pending; it goes on\nits answer: kit wait 0123456789ab --server https://kit.test',
  );
  expect(told('shop')).toContain('go on here: kit run shop release --resume=0123456789ab');
});

it('says how the answer of a run is had that somebody else goes on with, and the answer where it is there', () => {
  const job = { id: '0123456789ab', status: 'running', topology: 'release', error: null, needs: {} } as Job;
  const told = (over: Partial<Job>, workspaceArgument: string): string =>
    runAfterText({ job: { ...job, ...over }, resumed: 'left', why: 'it goes on' }, { ...PLAIN, workspaceArgument });

  expect(told({}, 'https://kit.test')).toContain('its answer: kit wait 0123456789ab --server https://kit.test');
  expect(told({}, 'shop')).toContain('its answer: kit wait 0123456789ab shop');
  expect(told({ status: 'completed', output: 'Hello Ada' }, 'shop')).toBe(
    'run 0123456789ab is completed; it goes on\n  Hello Ada\nlook: kit trace 0123456789ab shop',
  );
});

it('names nobody in the lines that a server takes from whoever is signed in', () => {
  const gate = gateOf('0123456789ab');
  const line = (place: PastePlace): string =>
    resolveCommand(taskOf(gate, 'qa').id, 'grace', { workspaceArgument: place });
  const situation = { command: ['kit', 'review', 'resolve', 'i1', '--as', 'grace', '--approve'] };

  expect(line('https://kit.test')).toMatch(/^kit review resolve \S+ https:\/\/kit\.test --approve$/);
  expect(line('shop')).toMatch(/ shop --as grace --approve$/);
  expect(commandLine(situation, 'https://kit.test')).toBe('kit review resolve i1 --approve -w https://kit.test');
  expect(commandLine(situation, 'shop')).toContain('--as grace');
  expect(line(SHELL)).toMatch(/^kit review resolve \S+ --server https:\/\/kit\.test --approve$/);
  expect(commandLine(situation, SHELL)).toBe('kit review resolve i1 --approve --server https://kit.test');
  expect(commandLine({ command: ['kit', 'status'] }, SHELL)).toBe('kit status');
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
