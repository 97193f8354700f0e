import { describe, expect, it } from 'vitest';
import { eventIdsOf, stepIdOf } from '../../src/engine/derive.js';

const VERSION_4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const JOB = '0a1b2c3d4e5f';
const STEP = { jobId: JOB, stepId: stepIdOf(JOB, 'root/d0/t0'), attempt: 1 };

describe('the ids of the events of a step', () => {
  it('begin with the id of their run, so that the events of a run lie side by side in an index', () => {
    const idOf = eventIdsOf(STEP);
    expect([idOf(0), idOf(1)].map((id) => id.slice(0, 14))).toEqual(['0a1b2c3d-4e5f-', '0a1b2c3d-4e5f-']);
  });

  it('have the shape of a version 4 UUID, whatever the ids of the run and of the step look like', () => {
    for (const jobId of [JOB, 'a run of an older store', ''])
      for (const stepId of [STEP.stepId, 'a step', '', 'f'.repeat(32)])
        for (const index of [0, 1, 2 ** 24 - 1])
          expect(eventIdsOf({ ...STEP, jobId, stepId })(index)).toMatch(VERSION_4);
  });

  it('are the same for the same place', () => {
    expect(eventIdsOf({ ...STEP })(3)).toBe(eventIdsOf(STEP)(3));
  });

  it('are others for another run, step, attempt or place', () => {
    const steps = [0, 1, 2, 3].flatMap((run) =>
      ['root', 'root/d0/t0', 'root/d0/t1'].flatMap((key) => {
        const jobId = `0a1b2c3d4e5${run}`;
        return [1, 2, 3].map((attempt) => ({ jobId, stepId: stepIdOf(jobId, key), attempt }));
      }),
    );
    // The places of an attempt end where those of the next one begin.
    const places = [0, 1, 2, 255, 65_536, 2 ** 24 - 2, 2 ** 24 - 1];
    const ids = steps.flatMap((step) => places.map(eventIdsOf(step)));
    expect(new Set(ids).size).toBe(steps.length * places.length);
  });

  it('differ in a step whose digest ends with the greatest number', () => {
    const idOf = eventIdsOf({ ...STEP, stepId: 'f'.repeat(32) });
    expect(new Set([0, 1, 2].map(idOf)).size).toBe(3);
  });
});
