import { expect, it } from 'vitest';
import { type AnsweredRun, envelopeOf } from '../../../../plugins/protocols/src/mcp/call/envelope.js';

const said = (
  run: Partial<AnsweredRun>,
  gateUrl: string | null = null,
  rests: 'store' | 'process' = 'store',
  workspace: string | null = null,
): string => {
  const whole = { id: '0123456789ab', status: 'deferred', output: null, error: null, ...run } as const;
  const [content] = envelopeOf(whole, { gateUrl, output: 'text', rests, workspace, artifacts: [] }).content;
  return content?.type === 'text' ? content.text : '';
};

it.each<readonly [Partial<AnsweredRun>, string]>([
  [
    { error: 'awaiting review: gate g by qa' },
    'Run 0123456789ab waits for people to decide (awaiting review: gate g by qa). They decide with kit review, and `kit why 0123456789ab` tells who can.',
  ],
  [{}, 'Run 0123456789ab waits for people to decide. They decide with kit review, and `kit why 0123456789ab` tells'],
  [{ status: 'failed', error: 'no key' }, 'Run 0123456789ab failed: no key'],
  [{ status: 'failed' }, 'Run 0123456789ab failed'],
  [{ status: 'stopped', error: 'stopped by ada' }, 'Run 0123456789ab is stopped by ada'],
  [{ status: 'stopped', error: 'its process died' }, 'Run 0123456789ab is stopped: its process died'],
])('a run that %j is told in sentences', (run, text) => {
  expect(said(run).startsWith(text)).toBe(true);
});

it('names the workspace in lines to paste, where a client has started this process', () => {
  expect(said({}, null, 'process', '/my work')).toContain("`kit why 0123456789ab -w '/my work'` tells who can");
  expect(said({ status: 'queued' }, null, 'process', '/w')).toContain('`kit resume 0123456789ab -w /w` does');
});

it('tells a model that its user decides, and never it', () => {
  const foreign = said({ status: 'running' }, 'https://other.test/gates/g');
  for (const text of [said({}), foreign]) expect(text).toMatch(/Say so to your user, and decide nothing/);
});

it('names where people decide', () => {
  expect(said({}, 'https://kit.test/gates/g')).toContain('They decide at https://kit.test/gates/g. It goes on');
});

it('says of a run whose people decide in another system whether it needs this process', () => {
  const of = (rests: 'store' | 'process') => said({ status: 'running' }, 'https://other.test/gates/g', rests);

  expect(of('store')).toContain('They decide at https://other.test/gates/g. It goes on once they have; kit_job');
  expect(of('process')).toContain('It goes on once they have, as long as this server runs; kit_job');
});

it('says of a run that nobody executes what does, where this process executes its own calls alone', () => {
  expect(said({ status: 'queued' }, null, 'process')).toContain('`kit resume 0123456789ab` does');
  expect(said({ status: 'queued' }, null, 'store')).toContain('is not done yet. Call kit_job');
  expect(said({ status: 'running' }, null, 'process')).toContain('is not done yet. Call kit_job');
});

it('names what the run made by addresses that resources/read takes', () => {
  const run = { id: '0123456789ab', status: 'completed', output: 'x', error: null } as const;
  const made = { ref: 'a%2Fb/0123456789ab/writer#abcdef123456', name: 'writer', mediaType: 'text/plain' };
  const beside = { workspace: null, gateUrl: null, output: 'text', rests: 'store' } as const;

  expect(envelopeOf(run, { ...beside, artifacts: [made] }).structuredContent).toMatchObject({
    artifacts: [
      { uri: 'artifact://a%252Fb/0123456789ab/writer%23abcdef123456', name: 'writer', media_type: 'text/plain' },
    ],
  });
  expect(envelopeOf(run, { ...beside, artifacts: [] }).structuredContent).not.toHaveProperty('artifacts');
});
