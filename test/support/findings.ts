import type { UnmetDemand, WorkspaceReport } from '../../src/app/workspace-report.js';
import type { Diagnostic } from '../../src/domain/diagnostic.js';
import type { FindingsOptions } from '../../src/text/diagnostics/findings.js';

/** A report with nothing but problems in it. */
export const reportOf = (
  diagnostics: readonly Diagnostic[],
  sources: Readonly<Record<string, string>> = {},
): WorkspaceReport => ({
  workspace: diagnostics.some(({ severity }) => severity === 'error')
    ? null
    : { id: 'w', name: 'W', description: null, root: '/repo/team' },
  diagnostics,
  sources: new Map(Object.entries({ 'workspace.yaml': 'kind: Workspace\n', ...sources })),
  ids: { topologies: [], skills: [], archetypes: [], triggers: [] },
  tree: [],
  reachability: { ok: true, reachable: [], unreachable: [], orphans: [] },
  verification: [],
  notYet: [],
  launches: [],
  knowledge: [],
});

export const UNVERIFIED: UnmetDemand = {
  flag: 'require-verified',
  message: 'the output of 1 root is checked by nothing (--require-verified)',
  subjects: ['hello@1.0.0 host'],
};

/** The view of a workspace in `/repo/team`, seen from `/repo`. */
export const findingsView = (more: Partial<FindingsOptions> = {}): FindingsOptions => ({
  quiet: false,
  failures: [],
  workspaceDir: '/repo/team',
  repositoryDir: '/repo',
  version: '1.2.3',
  pages: new Map([
    ['agent.unknown-archetype', '# agent.unknown-archetype\n\nNo file under `archetypes/`\ncarries the id.\n\nMore.\n'],
  ]),
  ...more,
});
