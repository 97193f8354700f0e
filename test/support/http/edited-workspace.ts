import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { onTestFinished } from 'vitest';
import { contribution } from '../../../plugins/serve/src/mounts/authoring/mount.js';
import { createAlone, createEditingApp, type EditingDeps } from '../../../src/app/editing/create-editing-app.js';
import type { EditingApp } from '../../../src/app/editing/editing-app.js';
import { createSkillsApp } from '../../../src/app/skills/create-skills-app.js';
import type { SkillsApp } from '../../../src/app/skills/skills-app.js';
import { validateWorkspace } from '../../../src/app/validate-workspace.js';
import { lazyJsonSchemas } from '../../../src/lib/json-schema.js';
import { createFileEdits } from '../../../src/system/file-edits.js';
import { deps, type Sources, WORKSPACE } from '../compile.js';
import { projectRoot } from '../kit-process.js';
import { as, serveGroup } from './serve-group.js';

/** The test server is told of a directory of its own; its routes ask for this one. */
export function boundTo<T extends EditingApp | SkillsApp>(app: T, workspace: string): T {
  return new Proxy(app, {
    get: (target, name) => (ask: object) =>
      (Reflect.get(target, name) as (ask: object) => unknown)({ ...ask, workspace }),
  });
}

/** A workspace on disk behind the routes that change it. */
export interface EditedWorkspace {
  readonly directory: string;
  readonly editing: EditingApp;
  readonly server: FastifyInstance;
  /** What the server would run now: ids of topologies after the last successful reload. */
  readonly served: () => readonly string[];
  read(path: string): Promise<string>;
  write(sources: Readonly<Record<string, string | Uint8Array>>): Promise<void>;
  /** Every file, hidden ones too, with its text. */
  tree(): Promise<Readonly<Record<string, string>>>;
  /** As an administrator. */
  ask(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    url: string,
    body?: object,
    headers?: Readonly<Record<string, string>>,
  ): Promise<LightMyRequestResponse>;
}

export async function editedWorkspace(
  sources: Sources,
  parts: Partial<EditingDeps> = {},
  env: Readonly<Record<string, string>> = {},
  catalogue: string | null = null,
): Promise<EditedWorkspace> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'kit-edit-')));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const write: EditedWorkspace['write'] = async (files) => {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(directory, path)), { recursive: true });
      await writeFile(join(directory, path), text);
    }
  };
  await write({ 'workspace.yaml': WORKSPACE, ...sources });
  const compile = { ...deps(env), schemas: lazyJsonSchemas() };
  let served: readonly string[] = [];
  const editingDeps: EditingDeps = {
    compile,
    edits: createFileEdits(),
    reload: async (workspace) => {
      const { ids, diagnostics } = await validateWorkspace(workspace, compile);
      const errors = diagnostics
        .filter(({ severity }) => severity === 'error')
        .map(({ code, message, path }) => ({ code, message, path }));
      if (errors.length > 0) return { valid: false, errors };
      served = ids.topologies;
      return { valid: true, topologies: ids.topologies, skills: ids.skills, archetypes: ids.archetypes };
    },
    log: { warn: () => undefined },
    resolves: async (_workspace, refs) => new Map(refs.map((ref) => [ref, true])),
    maskOf: async () => (text) => text,
    ...parts,
  };
  const alone = createAlone(editingDeps);
  const editing = createEditingApp(editingDeps, alone);
  const skills = createSkillsApp({
    ...editingDeps,
    alone,
    sources: () => ({
      files: compile.files,
      edits: editingDeps.edits,
      fetchText: async () => ({ status: 404, text: '' }),
      now: Date.now,
      cacheDir: join(directory, '.cache'),
      setting: catalogue,
      bundledFile: join(projectRoot, 'dist/catalogue.json'),
    }),
    openCheck: async () => ({
      skills: [],
      servers: new Map(),
      open: async () => ({ tools: async () => [] }),
      mask: (text) => text,
      close: async () => undefined,
    }),
  });
  const server = await serveGroup(contribution, {
    editing: boundTo(editing, directory),
    skills: boundTo(skills, directory),
  });
  return {
    directory,
    editing,
    server,
    served: () => served,
    read: (path) => readFile(join(directory, path), 'utf8'),
    write,
    tree: async () => {
      const entries = await readdir(directory, { recursive: true, withFileTypes: true });
      const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
      return Object.fromEntries(
        await Promise.all(
          files.sort().map(async (path) => [path.slice(directory.length + 1), await readFile(path, 'utf8')] as const),
        ),
      );
    },
    ask: (method, url, body, headers = {}) =>
      server.inject({
        method,
        url,
        headers: { ...as('admin'), ...headers },
        ...(body === undefined ? {} : { payload: body }),
      }),
  };
}
