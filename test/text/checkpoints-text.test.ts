import { expect, it } from 'vitest';
import type { Checkpoint } from '../../src/app/list-checkpoints.js';
import { checkpointsText } from '../../src/text/checkpoints-text.js';
import { jobOf } from '../support/view-samples.js';

const ID = '0123456789ab';
const pointOf = (job: Parameters<typeof jobOf>[0], over: Partial<Checkpoint> = {}): Checkpoint => ({
  job: jobOf({ topology: 'demo', version: '1.0.0', createdAt: '2026-01-02T03:04:05.678Z', ...job }),
  steps: 1,
  blocked: null,
  blockedInFleet: null,
  ...over,
});
const plain = { color: false, width: null, workspace: '' } as const;

it('lists runs as a table for people, with the id once and times to the second', () => {
  const error = `awaiting review: gate ${ID}:writer awaits sign-off by qa`;
  const [head, row] = checkpointsText([pointOf({ id: ID, status: 'deferred', error })], { ...plain, width: 200 }).split(
    '\n',
  );
  expect(head).toBe('RUN           TOPOLOGY    STATUS    FINISHED  CREATED               WHY');
  expect(row).toBe(
    `${ID}  demo 1.0.0  deferred  1 step    2026-01-02 03:04:05Z  awaiting review: gate writer awaits sign-off by qa`,
  );
});

it('goes on with what nobody has to decide first, and says who decides the rest', () => {
  const points = [pointOf({ id: 'aaaaaaaaaaaa', status: 'deferred' }), pointOf({ id: ID, status: 'stopped' })];
  const text = checkpointsText(points, { ...plain, workspace: 'my work' });
  expect(text).toContain(`\ngo on with: kit run 'my work' demo --resume=${ID}\n`);
  expect(text).toContain("\nwho decides: kit why aaaaaaaaaaaa -w 'my work'");
  expect(checkpointsText(points.slice(0, 1), plain)).not.toContain('--resume');
});

it('says what is missing for a run, here and everywhere', () => {
  const blocked = pointOf({ status: 'stopped', error: null, reason: null }, { blocked: 'x', blockedInFleet: 'y' });
  expect(checkpointsText([blocked], plain)).toContain(
    'this kit cannot go on with it: x; no live server or worker can go on with it: y',
  );
});
