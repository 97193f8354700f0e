import type { PluginPackage } from '../../support/plugin-package.js';

/** What the executor does when its agent is told so; `request.statement` names it. */
const ONLY_ITSELF: Readonly<Record<string, string>> = {
  'throws-at-once': "throw new Error('bad luck');",
  'throws-null': 'throw null;',
  'throws-undefined': 'throw undefined;',
  'throws-text': "throw 'bad luck';",
  'throws-what-cannot-be-told': "throw { toString() { throw new Error('no text'); } };",
  'throws-a-frozen-error': "throw Object.freeze(new Error('cold'));",
  'rejects-late': "await new Promise((ok, no) => setTimeout(() => no(new Error('too late')), 5));",
  'answers-nothing': 'return undefined;',
  'answers-null': 'return null;',
  'answers-a-number': 'return 7;',
  'answers-a-text': "return 'done';",
  'answers-a-list': 'return [];',
  'answers-a-function': 'return () => {};',
  'answers-an-unknown-status': "return { ...good, status: 'splendid' };",
  'answers-a-getter-that-throws': "return { get status() { throw new Error('no status'); } };",
  'pollutes-every-object': 'Object.prototype.polluted = true; return good;',
  'defines-on-every-object': "Object.defineProperty(Object.prototype, 'status', { value: 'success' }); return good;",
  'pollutes-by-a-loose-script': "new Function('Object.prototype.polluted = true')(); return good;",
  'changes-its-request': "try { request.statement = 'x'; delete request.cwd; } catch {} return good;",
  'leaks-a-timer': 'setInterval(() => {}, 60_000); return good;',
  'leaks-a-server': "(await import('node:net')).createServer().listen(0, '127.0.0.1'); return good;",
  'leaks-listeners': "for (let n = 0; n < 50; n += 1) process.on('exit', () => {}); return good;",
};

/** What ends the process, once each; `said` is what it leaves in the words of kit. */
const ENDS_THE_PROCESS: Readonly<Record<string, { readonly code: string; readonly said: RegExp }>> = {
  'throws-in-a-timer': { code: "setTimeout(() => { throw new Error('in a timer'); }, 5);", said: /in a timer/ },
  'throws-in-a-microtask': { code: "queueMicrotask(() => { throw new Error('in a task'); });", said: /in a task/ },
  'throws-nothing-later': { code: 'setImmediate(() => { throw null; });', said: /null/ },
  'leaves-a-rejection': { code: "void Promise.reject(new Error('left alone'));", said: /left alone/ },
  'leaves-a-text': { code: "void Promise.reject('only a text');", said: /only a text/ },
  'emits-an-error': {
    code: "const { EventEmitter } = await import('node:events'); setTimeout(() => new EventEmitter().emit('error', new Error('emitted')), 5);",
    said: /emitted/,
  },
  'fails-on-a-socket': {
    code: "(await import('node:net')).connect(9, '127.0.0.1');",
    said: /ECONNREFUSED/,
  },
  'calls-exit': { code: 'process.exit(0);', said: /process\.exit\(0\)/ },
};

/** A loop that never ends takes 10 s to be found: its own test. */
const BLOCKS = { 'blocks-the-loop': 'for (;;);' };

const cases = (): string =>
  [
    ...Object.entries(ONLY_ITSELF).map(([name, code]) => `case '${name}': { ${code} }`),
    ...Object.entries({
      ...Object.fromEntries(Object.entries(ENDS_THE_PROCESS).map(([name, { code }]) => [name, code])),
      ...BLOCKS,
    }).map(
      ([name, code]) =>
        `case '${name}': { if (existsSync(mark('${name}'))) return good; writeFileSync(mark('${name}'), ''); ${code} await new Promise((ok) => signal.addEventListener('abort', ok)); throw signal.reason; }`,
    ),
  ].join('\n');

const executor = (): string => `
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineExecutor } from '@kit-run/kit/plugin';
const good = {
  status: 'success', reason: null, message: '', output: { done: true }, usage: null, exitCode: null, signal: null, stderrTail: '',
};
const mark = (name) => join(process.env.MARKS, name);
const run = async (request, { signal }) => {
  const [how] = request.statement.match(/do:[a-z-]+/) ?? [''];
  switch (how.slice(3)) {
${cases()}
    default: return good;
  }
};
export const contribution = defineExecutor({ create: async () => ({ run }) });
`;

export const NAME = '@acme/kit-plugin-naughty';

export const naughty = (): PluginPackage => ({
  name: NAME,
  contributes: {
    executors: [{ id: 'acme.naughty', name: 'naughty', title: 'Misbehaves', module: './dist/naughty.js', effects: [] }],
  },
  files: { 'dist/naughty.js': executor() },
});

/** One topology whose only agent the plugin carries out. */
export const naughtyFiles: Readonly<Record<string, string>> = {
  'workspace.yaml':
    'apiVersion: kit/v1\nkind: Workspace\nmetadata: { id: naughty, name: Naughty }\nmemory: { enabled: false }\nserver: { jobs: { max_concurrent: 40 } }\n',
  'archetypes/naughty.yaml': `apiVersion: kit/v1
kind: Archetype
metadata: { id: naughty, name: Naughty, description: Carried out by a plugin that misbehaves. }
role: root
defaults: {}
executor: { kind: naughty }
provenance: { authored_by: human, version: 1.0.0 }
`,
  'topologies/work.yaml': `apiVersion: kit/v1
kind: Topology
metadata: { name: work, version: 1.0.0 }
agents: { root: { id: naughty, role: root, archetype: naughty } }
`,
};

export const onlyItself = Object.keys(ONLY_ITSELF);
export const endsTheProcess = Object.entries(ENDS_THE_PROCESS).map(([how, { said }]) => ({ how, said }));
