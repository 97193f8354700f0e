import { JOB_STATUSES, STRING } from '@kit-run/kit/wire';

/** What going on is asked with. */
export const RESUME_QUERY = {
  type: 'object',
  properties: {
    anew: {
      type: 'boolean',
      default: false,
      description:
        'Sessions of coding harnesses begin anew, wherever their worktrees lie; what they changed is given up.',
    },
  },
} as const;

/** What a retry is asked with. */
export const RETRY_QUERY = {
  type: 'object',
  properties: {
    repeat_pruned: {
      type: 'boolean',
      default: false,
      description: 'Steps whose results were removed, and what came after them, run once more.',
    },
  },
} as const;

/** A route of one job, by its id or a unique prefix. */
export interface JobRoute {
  readonly Params: { readonly id: string };
}
/** A job in the path. */
export const JOB_PARAMS = { type: 'object', required: ['id'], properties: { id: STRING } } as const;

/** How a job in the path is named. */
export const PREFIX_QUERY = {
  type: 'object',
  properties: {
    prefix: { type: 'boolean', default: false, description: 'The path may hold a unique prefix of the id.' },
  },
} as const;

const STATUS_LIST = `^(${JOB_STATUSES.join('|')})(,(${JOB_STATUSES.join('|')}))*$`;

/** Filters of a list. */
/** Jobs of a page with `fields=all`, which holds what may be long. */
export const WHOLE_JOBS = 50;

export const LIST_QUERY = {
  type: 'object',
  properties: {
    correlation_id: STRING,
    topology: { type: 'string', description: '`name`, which means every version, or `name@version`.' },
    status: { type: 'string', pattern: STATUS_LIST, description: 'One or several, with commas.' },
    source: STRING,
    before: { type: 'string', description: 'Id of the last job of the page before.' },
    view: {
      type: 'string',
      enum: ['1'],
      description: 'With what the events of each job add up to, and with the filters below.',
    },
    id_prefix: { type: 'string', pattern: '^[0-9a-f]{1,12}$', description: 'With `view=1`: the beginning of the id.' },
    labels: { type: 'string', maxLength: 8192, description: 'With `view=1`: a JSON object; a job has all of them.' },
    younger_than_ms: { type: 'integer', minimum: 0, description: 'With `view=1`: submitted within.' },
    older_than_ms: { type: 'integer', minimum: 0, description: 'With `view=1`: submitted before that.' },
    fields: {
      type: 'string',
      enum: ['all'],
      description: `With \`input\` and \`output\`; ${WHOLE_JOBS} jobs at most.`,
    },
    limit: {
      type: 'integer',
      minimum: 1,
      maximum: 1000,
      description: `Default: 100; ${WHOLE_JOBS} with \`fields=all\`.`,
    },
  },
  if: { required: ['fields'] },
  // biome-ignore lint/suspicious/noThenProperty: the word of JSON Schema.
  then: { properties: { limit: { type: 'integer', maximum: WHOLE_JOBS } } },
} as const;
