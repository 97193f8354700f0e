import { afterAll } from 'vitest';
import { describeContainerEnds } from '../../e2e/tools/container-ends.js';
import { playedRuntime } from '../../support/container-runtimes.js';

// With a real runtime, and in full: test/e2e/tools/containers.test.ts.
const runtime = playedRuntime();
afterAll(() => runtime.dispose());

describeContainerEnds(runtime, 'few');
