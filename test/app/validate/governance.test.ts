import { describe, expect, it } from 'vitest';
import { hasPolicies } from '../../../src/app/policy-workspace.js';
import { assertPolicies } from '../../../src/app/submit/assert-policies.js';
import { governanceDiagnostics } from '../../../src/app/validate/governance.js';
import { KitError } from '../../../src/domain/errors.js';
import type { PluginHost } from '../../../src/domain/extension-points.js';
import type { GovernanceProvider, PolicyProblem, PolicyWorkspace } from '../../../src/domain/ports/governance.js';
import { compileSources, WORKSPACE } from '../../support/compile.js';

const sources = {
  'workspace.yaml': `${WORKSPACE}governance: { provider: agt, policy_language: cedar, config: { policies_dir: ./p } }\n`,
  'topologies/t.yaml':
    'apiVersion: kit/v1\nkind: Topology\nmetadata: { name: t, version: 1.0.0 }\nagents:\n  root: { id: lead, role: root, children: [{ id: one, role: worker }] }\n',
};

async function compiledOf(files: Readonly<Record<string, string>> = sources) {
  const { workspace, linked } = await compileSources(files);
  if (workspace === null || linked === null) throw new Error('the workspace does not compile');
  return { workspace, config: linked.registries.config };
}

const workspaceOf = async (files = sources) => (await compiledOf(files)).workspace;

/** A host with one provider; keeps what it was resolved with. */
function hostOf(check: GovernanceProvider['check']) {
  const resolved: unknown[] = [];
  const provider: GovernanceProvider = {
    evaluate: async () => ({ verdict: 'allow' }),
    ...(check === undefined ? {} : { check }),
  };
  const find = () => ({ configSchema: { properties: { policies_dir: {} } } });
  const resolve = async (...asked: unknown[]) => {
    resolved.push(asked);
    return provider;
  };
  return { resolved, plugins: { resolve, find } as unknown as Pick<PluginHost, 'resolve' | 'find'> };
}

/** The policies lie where nothing can be read, unless `textOf` says more. */
async function findingsOf(
  plugins: Pick<PluginHost, 'resolve' | 'find'>,
  textOf: (path: string) => Promise<string | null> = async () => null,
  files = sources,
) {
  const { workspace, config } = await compiledOf(files);
  return governanceDiagnostics(workspace, plugins, { config, textOf });
}

const BROKEN: PolicyProblem = {
  code: 'policy.unparsable',
  path: 'p/a.cedar',
  line: 3,
  message: 'unexpected token',
  help: 'expected `,`',
};

describe('the policies of a workspace', () => {
  it('are checked with what the workspace has, by the provider and configuration that decide', async () => {
    const reported: PolicyWorkspace[] = [];
    const { plugins, resolved } = hostOf(async (workspace) => {
      reported.push(workspace);
      return [];
    });

    expect((await findingsOf(plugins)).diagnostics).toEqual([]);
    expect(resolved).toEqual([['governanceProviders', 'agt', { policies_dir: './p', policy_language: 'cedar' }]]);
    expect(reported).toMatchObject([{ agents: ['lead', 'one'], skills: [], commands: [], servers: [] }]);
  });

  it('that cannot be used are errors of kit validate, and refuse a run with the same sentence', async () => {
    const { plugins } = hostOf(async () => [BROKEN]);
    const workspace = await workspaceOf();

    expect((await findingsOf(plugins)).diagnostics).toEqual([
      {
        code: 'policy.unparsable',
        severity: 'error',
        message: 'line 3: unexpected token',
        path: 'p/a.cedar',
        pointer: '',
        help: 'expected `,`',
      },
    ]);
    await expect(assertPolicies(plugins, workspace)).rejects.toMatchObject({
      code: 'KIT_POLICY_INVALID',
      message: 'the policies of agt cannot be used: p/a.cedar:3: unexpected token',
      hint: 'expected `,`',
    });
  });

  it('that are no list are a failure of the provider', async () => {
    const { plugins } = hostOf(async () => 5 as never);
    await expect(assertPolicies(plugins, await workspaceOf())).rejects.toMatchObject({
      code: 'KIT_PLUGIN_CALL_FAILED',
    });
  });

  it('point into the policy file where it can be read', async () => {
    const { plugins } = hostOf(async () => [
      BROKEN,
      { ...BROKEN, line: 2 },
      { ...BROKEN, line: 99 },
      { ...BROKEN, line: null },
    ]);
    const text = '// a policy\n\n  permit(principal action, resource);\n';
    const { diagnostics, sources } = await findingsOf(plugins, async (path) => (path === 'p/a.cedar' ? text : null));

    expect(sources).toEqual(new Map([['p/a.cedar', text]]));
    expect(
      diagnostics.map(({ span, message }) => [span === undefined ? null : text.slice(span.start, span.end), message]),
    ).toEqual([
      ['permit(principal action, resource);', 'unexpected token'],
      [null, 'line 2: unexpected token'],
      [null, 'line 99: unexpected token'],
      [null, 'unexpected token'],
    ]);
  });

  it.each([
    {
      name: 'cannot be had',
      error: new KitError('KIT_PLUGIN_LOAD_FAILED', 'it does not load'),
      code: 'governance.unavailable',
    },
    {
      name: 'refuses its configuration',
      error: new KitError('KIT_PLUGIN_CONFIG_INVALID', 'no such key'),
      code: 'governance.bad-config',
      pointer: '/governance/config',
    },
    { name: 'throws', error: new Error('bug'), code: 'governance.unavailable' },
  ])('of a provider that $name are an error as well', async ({ error, code, pointer = '/governance' }) => {
    const { plugins } = hostOf(() => Promise.reject(error));

    expect((await findingsOf(plugins)).diagnostics).toMatchObject([
      { code, severity: 'error', pointer, span: { path: 'workspace.yaml' } },
    ]);
  });

  const issue = (pointer: string, message = 'does not do') => ({ pointer, rule: 'x', message });
  const block = (text: string) => ({ ...sources, 'workspace.yaml': `${WORKSPACE}governance:\n${text}\n` });
  it.each([
    {
      name: 'a key that nobody reads',
      files: block('  provider: agt\n  config: { policy_dir: ./p }'),
      issues: [issue('', '"policy_dir" is not allowed here')],
      places: [['policy_dir', '/governance/config/policy_dir', 'did you mean `policies_dir`?']],
    },
    {
      name: 'two values',
      files: block('  provider: agt\n  policy_language: cedar\n  config: { suspended: [1] }'),
      issues: [issue('/suspended/0'), issue('/policy_language')],
      places: [
        ['1', '/governance/config/suspended/0', undefined],
        ['cedar', '/governance/policy_language', undefined],
      ],
    },
    {
      name: 'what is missing',
      files: block('  provider: custom\n  config: { provider_id: acme, config: { a: 1 } }'),
      issues: [issue('', '"url" is missing')],
      places: [['config', '/governance/config/config', undefined]],
    },
    {
      name: 'what a provider says that it misread',
      files: block('  provider: custom\n  config: { provider_id: acme, config: { a: 1 } }'),
      issues: [issue('/a'), { pointer: 3 }, null],
      places: [['1', '/governance/config/config/a', undefined]],
    },
    {
      name: 'a whole configuration that is not there',
      files: block('  provider: custom\n  config: { provider_id: acme }'),
      issues: [issue('', '"url" is missing')],
      places: [['config', '/governance/config', undefined]],
    },
  ])('point at $name in workspace.yaml', async ({ files, issues, places }) => {
    const { plugins } = hostOf(() =>
      Promise.reject(new KitError('KIT_PLUGIN_CONFIG_INVALID', 'no', { data: { issues } })),
    );
    const text = files['workspace.yaml'];

    const { diagnostics } = await findingsOf(plugins, undefined, files);

    expect(diagnostics.map(({ code }) => code)).toEqual(places.map(() => 'governance.bad-config'));
    expect(
      diagnostics.map(({ span, pointer, help }) => [
        span === undefined ? null : text.slice(span.start, span.end),
        pointer,
        help,
      ]),
    ).toEqual(places);
  });

  it('of a custom provider are those of the contribution that its configuration names', async () => {
    const custom = {
      ...sources,
      'workspace.yaml': `${WORKSPACE}governance: { provider: custom, config: { provider_id: acme, config: { strict: true } } }\n`,
    };

    expect((await workspaceOf(custom)).governance).toMatchObject({ provider: 'acme', config: { strict: true } });
  });

  it('are nobody to ask about where there is no governance block', async () => {
    expect(hasPolicies(await workspaceOf({ ...sources, 'workspace.yaml': WORKSPACE }))).toBe(false);
  });
});
