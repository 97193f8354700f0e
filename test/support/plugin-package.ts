import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

/** A plugin as a third party would write it; files are written as they stand. */
export interface PluginPackage {
  readonly name: string;
  readonly version?: string;
  readonly api?: string;
  /** The `contributes` object of the `kit` key. */
  readonly contributes?: Readonly<Record<string, unknown>>;
  /** Command id -> module source. */
  readonly commands?: Readonly<Record<string, string>>;
  readonly aliases?: readonly string[];
  readonly hasManifest?: boolean;
  readonly files?: Readonly<Record<string, string>>;
  /** Merged over package.json. */
  readonly extra?: Readonly<Record<string, unknown>>;
  /** The whole `oclif` key; default: where the commands are. */
  readonly oclif?: Readonly<Record<string, unknown>>;
}

async function put(root: string, file: string, content: string): Promise<void> {
  await mkdir(dirname(join(root, file)), { recursive: true });
  await writeFile(join(root, file), content);
}

const commandFile = (id: string): string => `dist/commands/${id.replaceAll(':', '/')}.js`;

/** Writes the package below `folder` and gives its directory. */
export async function writePlugin(folder: string, plugin: PluginPackage): Promise<string> {
  const { name, version = '1.0.0', commands = {}, files = {} } = plugin;
  const root = join(folder, name.replace('/', '-').replace('@', ''));
  const pjson = {
    name,
    version,
    type: 'module',
    files: ['/dist', '/schemas', '/oclif.manifest.json'],
    ...(Object.keys(commands).length === 0 ? {} : { oclif: { commands: './dist/commands' } }),
    ...(plugin.oclif === undefined ? {} : { oclif: plugin.oclif }),
    kit: { manifestVersion: 1, api: plugin.api ?? '^1.0.0', contributes: plugin.contributes ?? {} },
    ...plugin.extra,
  };
  await put(root, 'package.json', JSON.stringify(pjson, null, 2));
  for (const [id, source] of Object.entries(commands)) await put(root, commandFile(id), source);
  for (const [file, content] of Object.entries(files)) await put(root, file, content);
  if (Object.keys(commands).length > 0 && plugin.hasManifest !== false) {
    const listed = Object.keys(commands).map((id) => [
      id,
      {
        id,
        aliases: plugin.aliases ?? [],
        hiddenAliases: [],
        args: {},
        flags: {},
        strict: false,
        isESM: true,
        relativePath: commandFile(id).split('/'),
      },
    ]);
    await put(root, 'oclif.manifest.json', JSON.stringify({ version, commands: Object.fromEntries(listed) }));
  }
  return root;
}

/** The program of the npm of this checkout. */
export const npmCli = (): string =>
  join(dirname(createRequire(import.meta.url).resolve('npm/package.json')), 'bin', 'npm-cli.js');

/** `npm pack`; gives the absolute path of the tarball. */
export async function packPlugin(root: string, env: NodeJS.ProcessEnv): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [npmCli(), 'pack', '--json', '--ignore-scripts'], {
    cwd: root,
    env,
  });
  const packed: unknown = JSON.parse(stdout);
  const [first] = Array.isArray(packed) ? packed : Object.values(packed as object);
  return join(root, first.filename);
}

/** Source of a command that prints what it was given. */
export const commandSource = (className: string, body: string): string => `
import { KitCommand } from '@kit-run/kit/command';
export class ${className} extends KitCommand {
  static strict = false;
  async run() {
    const { argv } = await this.parse(${className});
    ${body}
  }
}
`;

/** Executor of kind \`echo\`: its output is the statement it was asked. */
export const echoExecutor = `
import { defineExecutor } from '@kit-run/kit/plugin';
export const contribution = defineExecutor({
  create: async (config) => ({
    run: async (request) => ({
      status: 'success', reason: null, message: '', output: { said: request.statement, prefix: config.prefix ?? null },
      usage: null, exitCode: null, signal: null, stderrTail: '',
    }),
  }),
});
`;

/** The plugin that adds a command and an executor. */
export const goodPlugin: PluginPackage = {
  name: '@acme/kit-plugin-echo',
  contributes: {
    executors: [
      {
        id: 'acme.echo',
        name: 'echo',
        title: 'Says what it was told',
        module: './dist/echo.js',
        configSchema: './schemas/echo.json',
        effects: ['subprocess'],
      },
    ],
  },
  commands: { greet: commandSource('Greet', "this.log('hello ' + argv.join(' ')); return { greeted: argv };") },
  files: {
    'dist/echo.js': echoExecutor,
    'schemas/echo.json': JSON.stringify({
      type: 'object',
      additionalProperties: false,
      properties: { prefix: { type: 'string' } },
    }),
  },
};
