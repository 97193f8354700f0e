import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { CHILD_VARIABLES, ENV_REGISTRY, MACHINE_VARIABLES, PROVIDER_VARIABLES } from '../../src/domain/env.js';
import { ERROR_REGISTRY } from '../../src/domain/error-registry.js';
import { projectRoot } from '../support/kit-process.js';
import { tracked } from '../support/markdown.js';

/** Started as processes of their own: their environment is what kit gave them. */
const PROGRAMS = [
  'plugins/harness/src/hook/hook-process.ts',
  'plugins/harness/src/test-runner/program.ts',
  'plugins/harness/src/rehearsal/program.ts',
];
/** How code reads a variable: off an environment, or by its name as a text. */
const OFF_ENVIRONMENT = /\benv(?:ironment)?(?:\.run)?(?:\.|\[['"]|\(['"])([A-Z][A-Z0-9_]*)\b/g;
const KIT_NAME = /['"`](KIT_[A-Z0-9_]+)['"`]/g;

interface Source {
  readonly file: string;
  readonly text: string;
}

let sources: readonly Source[];
beforeAll(async () => {
  const files = tracked('src', 'plugins').filter(
    (file) =>
      /^(src|plugins\/[^/]+\/src)\/.*\.tsx?$/.test(file) &&
      !file.includes('/generated/') &&
      file !== 'src/domain/env.ts',
  );
  const read = async (file: string) => readFile(join(projectRoot, file), 'utf8').catch(() => '');
  sources = await Promise.all(files.map(async (file) => ({ file, text: withoutComments(await read(file)) })));
});

const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');

const namesIn = ({ text }: Source): readonly string[] =>
  [...text.matchAll(OFF_ENVIRONMENT), ...text.matchAll(KIT_NAME)]
    .map((match) => match[1] ?? '')
    .filter((name) => !Object.hasOwn(ERROR_REGISTRY, name));

const names = (list: readonly { readonly name: string }[]): readonly string[] => list.map(({ name }) => name);

describe('the registry of environment variables', () => {
  it('lists every variable that some code reads', () => {
    const listed = new Set(names([...ENV_REGISTRY, ...CHILD_VARIABLES, ...MACHINE_VARIABLES, ...PROVIDER_VARIABLES]));

    const unknown = sources.flatMap((source) =>
      namesIn(source)
        .filter((name) => !listed.has(name))
        .map((name) => `${source.file}: ${name}`),
    );

    expect(unknown).toEqual([]);
  });

  it.each(ENV_REGISTRY)('lists $name, which some code reads', ({ name }) => {
    const readers = sources.filter((source) => namesIn(source).includes(name)).map(({ file }) => file);

    expect(readers).not.toEqual([]);
  });

  it.each([...CHILD_VARIABLES, ...MACHINE_VARIABLES, ...PROVIDER_VARIABLES])(
    'lists $name, which some code names',
    ({ name }) => {
      expect(sources.some(({ text }) => new RegExp(`\\b${name}\\b`).test(text))).toBe(true);
    },
  );

  it('reads nothing of what kit sets for the processes it starts', () => {
    const off = new RegExp(`\\benv(?:ironment)?(?:\\.|\\[['"])(${names(CHILD_VARIABLES).join('|')})\\b`);

    expect(sources.filter(({ text }) => off.test(text)).map(({ file }) => file)).toEqual([]);
  });

  it('holds each name once', () => {
    const all = names([...ENV_REGISTRY, ...CHILD_VARIABLES, ...MACHINE_VARIABLES, ...PROVIDER_VARIABLES]);

    expect(all.filter((name, index) => all.indexOf(name) !== index)).toEqual([]);
  });
});

describe('the environment of the process', () => {
  it('is read in boot alone', () => {
    const readers = sources.filter(
      ({ file, text }) => /\bprocess\.env\b/.test(text) && !file.startsWith('src/boot/') && !PROGRAMS.includes(file),
    );

    expect(readers.map(({ file }) => file)).toEqual([]);
  });
});

describe('streams, signals, directory and exit code of the process', () => {
  /** Modules that are the whole of a process which kit starts, and what they are made of. */
  const OWN_PROCESS =
    /-(process|child)\.ts$|^src\/system\/processes\/supervisor\.ts$|^plugins\/harness\/src\/(?:test-runner|rehearsal)\/program\.ts$/;
  /** A contribution is handed no stream: these two are about those of the process. */
  const CONTRIBUTIONS = ['plugins/sinks/src/stdout.ts', 'plugins/telemetry/src/export/exporter.ts'];
  /** Text of programs that run in a process, or a container, of their own. */
  const WRITTEN_OUT = ['plugins/harness/src/sandbox/image-runtime.ts', 'plugins/harness/src/verify/tee.ts'];
  /** Told to whoever installs a plugin, in the process in which it is looked at. */
  const LOOKED_AT = 'src/testing/check/process-state.ts';
  /** How a process ends that a plugin has broken. */
  const BROKEN = ['src/boot/containment/containment.ts', 'src/boot/containment/end-crashed.ts'];

  it('are touched where kit builds its world, and nowhere below', () => {
    const touching = sources.filter(
      ({ file, text }) =>
        /\bprocess\.(stdin|stdout|stderr|exitCode|exit|cwd|chdir|on|once|off)\b|\bconsole\.\w+\(/.test(text) &&
        !OWN_PROCESS.test(file) &&
        ![...CONTRIBUTIONS, ...WRITTEN_OUT, ...BROKEN, LOOKED_AT].includes(file),
    );

    expect(touching.map(({ file }) => file)).toEqual(['src/boot/process-world.ts']);
  });
});

describe('docs/environment.md', () => {
  it('has a row for every variable with its default, and no other', async () => {
    const page = await readFile(join(projectRoot, 'docs/environment.md'), 'utf8');
    const rows = new Map(
      [...page.matchAll(/^\| `([A-Z0-9_]+)` \|(.*)\|$/gm)].map(([, name = '', rest = '']) => [name, rest]),
    );

    expect([...rows.keys()].sort(), 'a row in docs/environment.md for each variable').toEqual(
      [...names([...ENV_REGISTRY, ...CHILD_VARIABLES, ...MACHINE_VARIABLES, ...PROVIDER_VARIABLES])].sort(),
    );
    for (const { name, default: value, description } of ENV_REGISTRY) {
      expect(rows.get(name), name).toContain(description);
      expect(rows.get(name), name).not.toContain('not yet');
      if (value !== null && value !== '') expect(rows.get(name), name).toContain(`\`${value}\``);
    }
    for (const { name, description } of [...CHILD_VARIABLES, ...MACHINE_VARIABLES, ...PROVIDER_VARIABLES])
      expect(rows.get(name), name).toContain(description);
  });
});
