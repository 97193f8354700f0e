import type { StartRun } from '../../../src/app/runs/runs-app.js';

/** A start as `kit run` makes it where nothing is asked for besides. */
export const startOf = (workspace: string, over: Partial<StartRun> = {}): StartRun => ({
  workspace,
  topology: 't',
  input: 'Say hello.',
  attachments: [],
  correlationId: null,
  labels: {},
  supersedes: null,
  submittedBy: { identity: 'dana', assurance: 'asserted' },
  timeoutMs: null,
  trust: [],
  ...over,
});
