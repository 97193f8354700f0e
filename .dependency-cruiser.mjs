// The import table of the house: one rule per room, each with its reason. `npm test` checks it.
const room = (...names) => names.map((name) => `^src/${name}${name.includes('/') ? '[.]ts$' : '/'}`);

/** Modules of src/ outside the room that it may not import. */
const only = (name, allowed, reason) => ({
  name: `room-${name}`,
  severity: 'error',
  comment: reason,
  from: { path: `^src/${name}/` },
  to: { path: '^(src|plugins|test|bin|scripts)/', pathNot: room(name, ...allowed) },
});

const PURE = '^src/(domain|lib|prompts|compile|govern|view|text)/';
const WORLD =
  '^(node:)?(fs|fs/promises|child_process|net|http|https|http2|dgram|dns|tls|os|process|worker_threads|cluster|timers|timers/promises|readline|readline/promises|tty)$';

export default {
  forbidden: [
    only('domain', ['lib/json'], 'The vocabulary: whoever reads it needs what JSON is, and nothing else.'),
    only('lib', [], 'Small helpers without a word of the domain: they could be a package of their own.'),
    only('prompts', ['domain', 'lib'], 'Whoever wants to know what models are told reads one folder.'),
    only(
      'compile',
      ['domain', 'lib', 'prompts'],
      'YAML text to Workspace is a function of its input, so that editors and tests can call it.',
    ),
    only('govern', ['domain', 'lib', 'prompts'], 'A decision is a function of values; the shell around it persists.'),
    only('view', ['domain', 'lib'], 'Every view folds the same events with the same reducer, without asking anybody.'),
    only(
      'engine',
      ['domain', 'lib', 'prompts', 'compile', 'govern', 'view'],
      'The interpreter reaches the world through ports, or a replay would not be a replay.',
    ),
    only('store', ['domain', 'lib'], 'SQL knows rows and not what a run means.'),
    only('host', ['domain', 'lib'], 'The plugin host offers third parties what the domain names, and nothing of ours.'),
    only(
      'testing',
      ['domain', 'lib', 'host'],
      'Contract suites drive a contribution through the real plugin host, and know neither runs nor stores: what they demand is what a point promises.',
    ),
    only('system', ['domain', 'lib'], 'Clock, processes and worktrees are effects behind ports, without policy.'),
    only('worker', ['domain', 'lib', 'engine'], 'Claim, lease and park know the engine as one function.'),
    only(
      'app',
      ['domain', 'lib', 'prompts', 'compile', 'govern', 'view', 'worker'],
      'Use cases get stores, host and system as ports, so that every entry point shares them.',
    ),
    only('text', ['domain', 'lib', 'view', 'app'], 'What a use case gave, as text: a function of values.'),
    only('ui', ['domain', 'lib', 'view', 'app', 'text'], 'Screens show a RunView and call use cases.'),
    only(
      'doctor',
      ['domain', 'lib', 'view', 'app'],
      'The run that kit doctor kills makes its places and processes; the stores and the program that dies are handed to it.',
    ),
    only(
      'cassette',
      ['domain', 'lib', 'compile', 'engine', 'worker', 'app'],
      'A recording stands between a run and its outside: it knows the ports of a claim and how each of them fails, and opens nothing of it.',
    ),
    only(
      'remote',
      ['domain', 'lib', 'view', 'app'],
      'A server stands in for the use cases: it is asked over HTTP, and what it tells is folded as everywhere.',
    ),
    only('cli', ['domain', 'lib', 'view', 'app', 'text'], 'Commands parse, call one use case and render.'),
    only(
      'sdk',
      ['domain', 'lib', 'prompts', 'view', 'cli', 'app', 'testing'],
      'The public exports list what others may import; they hold no code.',
    ),
    {
      name: 'sdk-type-of-app',
      severity: 'error',
      comment: 'A plugin sees the list of use cases as a type; the object is injected.',
      from: { path: '^src/sdk/' },
      to: { path: '^src/app/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'pure-rooms',
      severity: 'error',
      comment:
        'No disk, clock, network or process in domain, lib, prompts, compile, govern, view and text: they are tested as functions.',
      from: { path: PURE },
      to: { dependencyTypes: ['core'], path: WORLD },
    },
    {
      name: 'react-in-ui',
      severity: 'error',
      comment: 'Ink costs 670 ms at a cold start: only ui/ knows it, and ui/ is loaded on a terminal alone.',
      from: { path: '^(src|plugins)/', pathNot: '^(src/ui|plugins/console/web)/' },
      to: { path: '^node_modules/(react|ink|ink-.*|@inkjs)/' },
    },
    {
      name: 'ui-by-import-call',
      severity: 'error',
      comment: 'A static import of ui/ would load React for every command.',
      from: { path: '^src/', pathNot: '^src/ui/' },
      to: { path: '^src/ui/', dependencyTypesNot: ['dynamic-import', 'type-only'] },
    },
    {
      name: 'plugins-through-exports',
      severity: 'error',
      comment:
        'A bundled plugin uses no export that a third party does not have: that is the proof that the exports are enough.',
      from: { path: '^plugins/([^/]+)/src/' },
      to: {
        path: '^(src|plugins|test|bin|scripts)/',
        pathNot: ['^plugins/$1/', '^src/sdk/(plugin|command|testing|view|wire)\\.ts$', '^src/text/[^/]+\\.ts$'],
      },
    },
    {
      name: 'house-without-plugins',
      severity: 'error',
      comment: 'The house works with any plugins: it finds them by their manifest.',
      from: { path: '^src/' },
      to: { path: '^plugins/' },
    },
    {
      name: 'no-circular',
      severity: 'error',
      comment: 'Two modules that need each other, by a type too, are one module, or the shared part is a third.',
      from: { path: '^(src|plugins|test|scripts|bin)/' },
      to: { circular: true },
    },
    {
      name: 'no-test-in-product',
      severity: 'error',
      comment: 'What ships does not depend on what tests it.',
      from: { path: '^(src|plugins/[^/]+/src|bin)/' },
      to: { path: '^test/|^node_modules/(vitest|fast-check)/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules|/dist/' },
    exclude: { path: '/dist/|^dist/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.test.json' },
    moduleSystems: ['es6'],
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.json'],
    },
  },
};
