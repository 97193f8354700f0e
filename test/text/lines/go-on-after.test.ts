import { describe, expect, it } from 'vitest';
import type { Job } from '../../../src/domain/job.js';
import { goOnAfter } from '../../../src/text/lines/go-on-after.js';

const JOB = {
  id: '0123456789ab',
  topology: 'blog',
  status: 'failed',
  reason: 'provider.bad_request',
  error: 'no such model',
  input: 'write it',
  labels: {},
  attachments: [],
  source: 'cli',
  callerJobId: null,
  needs: { plugins: {}, adapters: {} },
  submittedBy: { identity: 'anna', assurance: 'asserted' },
} as unknown as Job;
const goOn = (over: Partial<Job>, self = 'anna', workspaceArgument = '') =>
  goOnAfter({ ...JOB, ...over }, { workspaceArgument, self });

describe('the way on from a run that failed', () => {
  it('submits the work again where its files must change, and says what comes first', () => {
    expect(goOn({})).toEqual({
      fact: 'a model or settings that the provider takes',
      line: "kit run blog --supersedes 0123456789ab --input 'write it'",
    });
    expect(goOn({ reason: 'tool_unknown' })?.line).toContain('--supersedes');
  });

  it('retries what may be fixed around it', () => {
    expect(goOn({ reason: 'provider.auth' })?.line).toBe('kit retry 0123456789ab');
  });

  it('keeps who submitted it where somebody else would be taken for it, and the workspace', () => {
    expect(goOn({ reason: 'provider.auth' }, 'root', './my kit')?.line).toBe(
      "kit retry 0123456789ab --as anna -w './my kit'",
    );
    expect(goOn({ labels: { kit_ask: 'true' }, input: 'Question: why?\nEvidence' }, 'root')?.line).toBe(
      "kit ask 'why?'",
    );
  });

  it('is none of a replay and of a run that did not fail', () => {
    expect(goOn({ status: 'completed' })).toBeNull();
    expect(goOn({ needs: { plugins: {}, adapters: {}, cassette: 'x' } as unknown as Job['needs'] })).toBeNull();
  });
});
