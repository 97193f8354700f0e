import type { Tool } from '../sdk/parts.js';
import { envelopeSchema } from './envelope-schema.js';

export const JOB_TOOL = 'kit_job';

/** Longest time that a caller may ask a call to wait. */
export const MAX_WAIT_SECONDS = 600;

/** Waits for a run, reads it, stops it. Nothing of it decides anything. */
export const jobTool: Tool = {
  name: JOB_TOOL,
  description:
    'Tells how a run is that a run_ tool began: waits until it has ended or waits for people, and gives its answer. Can stop it. What people are asked it cannot decide.',
  inputSchema: {
    type: 'object',
    required: ['job_id'],
    additionalProperties: false,
    properties: {
      job_id: { type: 'string', description: 'As the run_ tool answered it.' },
      wait_seconds: {
        type: 'number',
        minimum: 0,
        maximum: MAX_WAIT_SECONDS,
        description: 'How long to wait at most; 0 tells how it is now. Default: as long as a run_ tool waits.',
      },
      stop: { type: 'boolean', description: 'Asks the run to stop. What it has finished is kept.' },
    },
  },
  outputSchema: envelopeSchema(null) as Tool['outputSchema'],
  annotations: { destructiveHint: false, idempotentHint: true, openWorldHint: false },
};
