import { test } from 'vitest';
import { showsEffect } from '../../support/shows-effect.js';
import { observeTasks, TASK_PROOFS, TASKS } from './proofs/task-proofs.js';

test.each(TASK_PROOFS)('$key changes how the agents of a run work', { timeout: 120_000 }, ({ key, a, b }) =>
  showsEffect(key, a, b, { base: TASKS, observe: observeTasks }),
);
