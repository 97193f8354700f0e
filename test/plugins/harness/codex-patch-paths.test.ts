import { expect, it } from 'vitest';
import type { CallPlace } from '../../../plugins/harness/src/gate/classify.js';
import { codexCallOf } from '../../../plugins/harness/src/gate/codex-hook.js';

const place = { cwd: '/w' } as CallPlace;
const pathsOf = async (...lines: readonly string[]) => {
  const command = ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n');
  const event = { tool_name: 'apply_patch', tool_use_id: 'c1', tool_input: { command }, cwd: '/w' };
  return (await codexCallOf(JSON.stringify(event), { place, tools: null }))?.paths;
};

it.each(['\u2028', '\u2029', '\r'])('takes all of a path in which %j stands', async (mark) => {
  expect(await pathsOf(`*** Update File: docs/x${mark}/../../src/a.js`, '@@', '-a', '+b')).toEqual(['/w/src/a.js']);
});

it('sees a file whose head is indented, which Codex takes for one', async () => {
  expect(await pathsOf('*** Add File: docs/a', '+a', ' \t*** Add File: src/b', '+b')).toEqual([
    '/w/docs/a',
    '/w/src/b',
  ]);
});

it('takes a line that is added for no head', async () => {
  expect(await pathsOf('*** Add File: docs/a', '+*** Add File: src/b')).toEqual(['/w/docs/a']);
});
