import { expect, it } from 'vitest';
import { KitError } from '../../../src/domain/errors.js';
import { withTools } from '../../engine/tools/tool-world.js';
import { type Answer, fakeServer, saying, serverTool, toolSkill } from '../../support/fake-tools.js';
import { agent, call, type WorldOptions } from '../../support/run-world.js';
import { record, replay } from './taped-world.js';

const READS = { readOnly: true, destructive: null, idempotent: null };

const options = (server: ReturnType<typeof fakeServer>, more: Partial<WorldOptions> = {}): WorldOptions =>
  withTools(server.source, {
    root: agent('root', { role: 'root', skills: ['look', 'keep'] }),
    skills: [toolSkill('look'), toolSkill('keep')],
    script: ({ turn }) => [[call('look', { text: 'a' })], [call('keep', { text: 'b' })], [call('look', { text: 'a' })]][turn] ?? 'told',
    ...more,
  });
const serverOf = (answer?: Answer) => fakeServer([serverTool('look', { hints: READS }), serverTool('keep')], answer);

async function sameAgain(of: WorldOptions) {
  const recorded = await record(of);
  const replayed = await replay(of, recorded.cassette);
  expect(replayed.events).toEqual(recorded.events);
  const { status, reason, error, output } = recorded.job;
  expect(replayed.job).toMatchObject({ status, reason, error, output });
  return recorded;
}

const failing = (data: object): KitError => new KitError('KIT_TOOL_CALL_FAILED', 'the tool came to nothing', { data: { ...data } });

it('answers of a tool server are replayed without it, pictures and structured values among them', async () => {
  const server = serverOf(({ tool }) =>
    tool === 'keep'
      ? { parts: [], structured: { kept: true }, isError: false }
      : {
          parts: [
            { type: 'text', text: 'seen' },
            { type: 'image', mediaType: 'image/png', data: 'iVBORw0=' },
          ],
          structured: null,
          isError: false,
        },
  );

  const { cassette, job } = await sameAgain(options(server));

  expect(job.status).toBe('completed');
  expect(cassette.answers.map(({ kind, key }) => `${kind} ${key}`)).toEqual([
    'tools servers/files',
    'model root/d0/t0',
    'tool root/d0/t0/c0:look',
    'model root/d0/t1',
    'tool root/d0/t1/c0:keep',
    'model root/d0/t2',
    'tool root/d0/t2/c0:look',
    'model root/d0/t3',
  ]);
  expect(server.calls).toHaveLength(3);
});

it.each([
  ['failed for good', () => Promise.reject(failing({ sent: true, reason: 'error' })), 1],
  ['says that it failed', () => ({ ...saying('no'), isError: true }), 1],
  ['threw something odd', () => Promise.reject(new Error('a bug')), 1],
  ['was not sent, each attempt of it', () => Promise.reject(failing({ sent: false, reason: 'unreachable' })), 3],
])('a call that %s fails again in the same way', async (_what, answer, attempts) => {
  const { cassette } = await sameAgain(options(serverOf(answer), { script: ({ turn }) => (turn === 0 ? [call('keep', { text: 'b' })] : 'told') }));

  expect(cassette.answers.filter(({ kind }) => kind === 'tool').map(({ n }) => n)).toEqual(Array.from({ length: attempts }, (_, n) => n));
});

it('a server that did not start fails the replay in the same way', async () => {
  const source = {
    open: () =>
      Promise.reject(new KitError('KIT_TOOL_SERVER_FAILED', 'the tool server files ended', { data: { server: 'files', reason: 'exited' } })),
  };

  const { job } = await sameAgain(options({ ...serverOf(), source }));

  expect(job).toMatchObject({ status: 'failed', error: expect.stringContaining('files ended') });
});

it('a call with other arguments is not in the cassette, and the difference is named', async () => {
  const of = (text: string) => options(serverOf(), { script: ({ turn }) => (turn === 0 ? [call('keep', { text })] : 'told') });
  const recorded = await record(of('b'));
  // The model's answer is the recorded one: what differs is what the skill fixes beside it.
  const changed = { ...of('b'), skills: [toolSkill('look'), toolSkill('keep', { fixed: { text: 'other' } })] };
  const replayed = await replay(changed, recorded.cassette);

  expect(JSON.stringify(replayed.events)).toContain('replay.miss');
});
