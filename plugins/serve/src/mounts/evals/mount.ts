import type { App, EvalReportRow, StoredEvalReport } from '@kit-run/kit/command';
import { defineHttpMount, type HttpMount } from '@kit-run/kit/plugin';
import { EVAL_REPORT, EVAL_REPORTS, type WireEvalReport, type WireEvalRow } from '@kit-run/kit/wire';

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

const toWireRow = (row: EvalReportRow): WireEvalRow => ({
  name: row.name,
  eval_set_id: row.setId,
  target: row.target,
  total: row.total,
  passed: row.passed,
  failed: row.total - row.passed,
  pass_rate: row.passRate,
  not_run: row.notRun,
  started_at: row.startedAt,
  finished_at: row.endedAt,
});

const toWireReport = ({ row, cases, comparison }: StoredEvalReport): WireEvalReport => ({
  ...toWireRow(row),
  cases: cases.map(({ id, passed, failures, output, runId, durationMs }) => ({
    id,
    passed,
    failures,
    output,
    run_id: runId,
    duration_ms: durationMs,
  })),
  comparison:
    comparison === null
      ? null
      : {
          report: comparison.report,
          pass_rate: comparison.passRate,
          trend: comparison.trend,
          regressed: comparison.regressed,
          fixed: comparison.fixed,
          new: comparison.added,
          removed: comparison.removed,
        },
});

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
      async ({ query: { set, limit } }) => ({
        reports: (await app.evals.reports({ workspace, set: set ?? null, limit })).map(toWireRow),
      }),
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
      async ({ params: { name }, query: { against } }) =>
        toWireReport(await app.evals.report({ workspace, name, against: against ?? null })),
    );
  },
};

/** Reports of eval sets. */
export const contribution = defineHttpMount({ create: () => ({ ...mount }) });
