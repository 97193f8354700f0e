import type { App, EvalReportRow } from '@kit-run/kit/command';
import { defineHttpMount, type HttpMount } from '@kit-run/kit/plugin';
import { EVAL_REPORT, EVAL_REPORTS, toWire } from '@kit-run/kit/wire';

const NAME = { type: 'string', minLength: 1, maxLength: 300, pattern: '^[A-Za-z0-9._-]+$' } as const;

const LIST_QUERY = {
  type: 'object',
  properties: {
    set: { type: 'string', minLength: 1, maxLength: 200, description: 'Id of an eval set.' },
    limit: { type: 'integer', minimum: 1, maximum: 200, default: 50 },
  },
} as const;
const NAME_PARAM = { type: 'object', required: ['name'], properties: { name: NAME } } as const;
const AGAINST_QUERY = {
  type: 'object',
  properties: { against: { ...NAME, description: 'Name of an earlier report.' } },
} as const;

const tags = ['evals'];

const shownRow = (row: EvalReportRow) => ({ ...row, failed: row.total - row.passed });

const mount: HttpMount<Pick<App, 'evals'>> = {
  register(server, { app, workspace }) {
    server.get<{ Querystring: { readonly set?: string; readonly limit: number } }>(
      '/evals/reports',
      {
        config: { tier: 'read' },
        schema: {
          summary: 'What `kit eval` found on the machine of the server, newest first.',
          tags,
          querystring: LIST_QUERY,
          response: { 200: EVAL_REPORTS },
        },
      },
      async ({ query: { set, limit } }) => {
        const rows = await app.evals.reports({ workspace, set: set ?? null, limit });
        return toWire(EVAL_REPORTS, { reports: rows.map(shownRow) });
      },
    );
    server.get<{ Params: { readonly name: string }; Querystring: { readonly against?: string } }>(
      '/evals/reports/:name',
      {
        config: { tier: 'read' },
        schema: {
          summary: 'One report, compared with an earlier one where that is named.',
          tags,
          params: NAME_PARAM,
          querystring: AGAINST_QUERY,
          response: { 200: EVAL_REPORT },
        },
      },
      async ({ params: { name }, query: { against } }) => {
        const { row, ...rest } = await app.evals.report({ workspace, name, against: against ?? null });
        return toWire(EVAL_REPORT, { ...shownRow(row), ...rest });
      },
    );
  },
};

/** Reports of eval sets. */
export const contribution = defineHttpMount({ create: () => ({ ...mount }) });
