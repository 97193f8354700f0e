import type { JobsDeps } from '../app/jobs/create-jobs-app.js';
import type { JobsApp } from '../app/jobs/jobs-app.js';

/** Wires the use cases that look at jobs; every part is imported when it is first used. */
export function createJobs(deps: () => Promise<JobsDeps>): JobsApp {
  let built: Promise<JobsApp> | undefined;
  const app = (): Promise<JobsApp> => (built ??= build(deps));
  return {
    list: async (query) => (await app()).list(query),
    get: async (ask) => (await app()).get(ask),
    diff: async (ask) => (await app()).diff(ask),
    queueStats: async (ask) => (await app()).queueStats(ask),
    stream: async (ask) => (await app()).stream(ask),
  };
}

async function build(deps: () => Promise<JobsDeps>): Promise<JobsApp> {
  const { createJobsApp } = await import('../app/jobs/create-jobs-app.js');
  return createJobsApp(await deps());
}
