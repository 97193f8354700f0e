import { afterAll } from 'vitest';
import { playedRuntime, realRuntime } from '../../support/container-runtimes.js';
import { describeContainerEnds } from './container-ends.js';

const runtime = realRuntime('the ends of containers') ?? playedRuntime();
afterAll(() => runtime.dispose());

describeContainerEnds(runtime, 'all');
