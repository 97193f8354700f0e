import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import type { InboxKey } from '../../src/text/inbox/inbox-key.js';
import { readInboxKeys } from '../../src/ui/inbox-keys.js';

/** Less than what Node waits by itself for the rest of an escape. */
const NODE_STILL_WAITS_MS = 400;

it('takes an escape for a key of its own before a person can press the next one', async () => {
  const stdin = Object.assign(new PassThrough(), { setRawMode: () => undefined, unref: () => undefined });
  const terminal = { stdin, stdout: new PassThrough(), jobControl: { onExit: () => () => undefined } };
  const keys: InboxKey[] = [];
  const reading = readInboxKeys(terminal as unknown as Parameters<typeof readInboxKeys>[0], (key) => keys.push(key));

  stdin.write('\u001b');
  // Timers of one process fire in the order of their ends, however busy the machine is.
  await new Promise((resolve) => setTimeout(resolve, NODE_STILL_WAITS_MS));
  stdin.write('q');
  stdin.write('\u001b[A');
  await expect.poll(() => keys).toEqual([{ kind: 'escape' }, { kind: 'text', text: 'q' }, { kind: 'up' }]);
  reading.close();
});
