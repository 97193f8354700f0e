import { expect, it } from 'vitest';
import { type NeedsPlugins, needsOf } from '../../../src/app/submit/needs-of.js';
import type { ContributionInfo, PluginOrigin, PluginReport } from '../../../src/domain/extension-points.js';
import type { RunSnapshot } from '../../../src/domain/snapshot.js';
import { agent } from '../../support/run-world.js';

const contribution = (plugin: string, point: ContributionInfo['point'], name: string): ContributionInfo => ({
  point,
  id: `${plugin}.${name}`,
  name,
  title: name,
  plugin,
  effects: [],
  configSchema: null,
  adapters: [],
  mount: null,
});

function report(name: string, origin: PluginOrigin, contributions: readonly ContributionInfo[]): PluginReport {
  const rest = {
    state: 'registered',
    code: null,
    message: null,
    commands: [],
    dropped: [],
    importMs: null,
    createMs: null,
  } as const;
  return { name, version: '1.4.2', origin, root: '/p', contributions, ...rest };
}

function pluginsOf(reports: readonly PluginReport[]): NeedsPlugins {
  const all = reports.flatMap((one) => one.contributions);
  return {
    report: () => reports,
    find: (point, wanted) =>
      all.find((one) => one.point === point && (one.id === wanted || one.name === wanted)) ?? null,
  };
}

const PLUGINS = pluginsOf([
  report('@kit-run/plugin-harness', 'bundled', [contribution('@kit-run/plugin-harness', 'executors', 'harness')]),
  report('acme-runner', 'user', [
    contribution('acme-runner', 'executors', 'acme'),
    contribution('acme-runner', 'modelProviders', 'unused'),
  ]),
  report('acme-models', 'linked', [contribution('acme-models', 'modelProviders', 'acme-chat')]),
  report('acme-policy', 'user', [contribution('acme-policy', 'governanceProviders', 'agt')]),
  report('acme-idle', 'user', [contribution('acme-idle', 'executors', 'idle')]),
]);

const child = (id: string, ref: string) =>
  agent(id, {
    executor:
      ref === 'coder'
        ? { kind: 'harness', ref, config: {}, onInDoubt: 'repeat' }
        : { kind: 'plugin', ref, config: {}, onInDoubt: 'repeat' },
  });

const NONE = {};

function snapshotOf(over: Partial<RunSnapshot>): RunSnapshot {
  const root = agent('root', { children: [child('one', 'acme'), child('two', 'coder')] });
  return {
    format: 1,
    workspaceId: 'w',
    topology: { name: 't', version: '1.0.0', root },
    skills: {},
    adapters: { coder: { spec: {}, digest: 'd'.repeat(64), source: 'workspace' } },
    providers: { chat: { id: 'chat', contribution: 'acme-models.acme-chat', config: {} } },
    models: {},
    limits: { maxStepsPerAgent: null, maxStepsPerRun: 500, maxCostPerRunUsd: null },
    env: {},
    humanScopes: [],
    governance: { provider: 'agt', config: {} },
    baseCommit: null,
    ...over,
  };
}

it('needs every foreign plugin that executes, answers or decides, from its present version on', () => {
  expect(needsOf(PLUGINS, snapshotOf({}), NONE).plugins).toEqual({
    'acme-runner': '^1.4.2',
    'acme-models': '^1.4.2',
    'acme-policy': '^1.4.2',
  });
});

it('needs no plugin for what comes with kit', () => {
  const snapshot = snapshotOf({
    topology: { name: 't', version: '1.0.0', root: child('only', 'coder') },
    providers: {},
    governance: { provider: 'mock', config: {} },
  });

  expect(needsOf(PLUGINS, snapshot, NONE).plugins).toEqual({});
});

it('needs each adapter by the digest that the snapshot froze', () => {
  expect(needsOf(PLUGINS, snapshotOf({}), NONE).adapters).toEqual({ coder: 'd'.repeat(64) });
});
