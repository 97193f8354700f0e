import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ServeProcess, startServe } from '../support/http/serve-process.js';
import { type KitHome, makeHome, runKit } from '../support/kit-process.js';
import { type PluginPackage, packPlugin, writePlugin } from '../support/plugin-package.js';
import { talk } from './workspaces.js';

const mounts = (name: string, more: Readonly<Record<string, unknown>>) => ({
  httpMounts: [
    { id: `acme.${name}`, name: `acme-${name}`, title: name, module: './dist/mount.js', effects: [], ...more },
  ],
});
const module_ = (body: string): string => `
import { defineHttpMount } from '@kit-run/kit/plugin';
const seen = { type: 'object', additionalProperties: false, properties: { seen: { type: 'string' } } };
const schema = { summary: 'A route of a plugin.', response: { 200: seen } };
export const contribution = defineHttpMount({ create: () => ({ register: async (server, { app, workspace }) => { ${body} } }) });
`;

/** Mounts three routes with a hook and a decorator, and names one use case. */
const THINGS: PluginPackage = {
  name: '@acme/kit-plugin-things',
  contributes: mounts('things', { prefix: '/acme-things', uses: ['jobs'] }),
  files: {
    'dist/mount.js': module_(`
      server.addHook('onRequest', async (request, reply) => { reply.header('acme-saw', request.caller.clientId); });
      server.decorate('acme', 'secret of things');
      server.get('/silent', { schema }, async () => ({ seen: 'silent' }));
      server.get('/jobs', { schema, config: { tier: 'read' } }, async () => ({ seen: typeof (await app.jobs.list({ workspace, limit: 1 })) }));
      server.get('/undeclared', { schema, config: { tier: 'read', mayAnswer: [500] } }, async () => ({ seen: String(app.review) }));
    `),
  },
};

/** Looks for what the other one left. */
const NOSY: PluginPackage = {
  name: '@acme/kit-plugin-nosy',
  contributes: mounts('nosy', { prefix: '/acme-nosy', tier: 'read' }),
  files: { 'dist/mount.js': module_("server.get('/look', { schema }, async () => ({ seen: String(server.acme) }));") },
};

/** Cannot be registered. */
const BROKEN: PluginPackage = {
  name: '@acme/kit-plugin-broken',
  contributes: mounts('broken', { prefix: '/acme-broken' }),
  files: { 'dist/mount.js': module_("throw new Error('no database here');") },
};

/** Wants a place of kit's. */
const SQUATTER: PluginPackage = {
  name: '@acme/kit-plugin-squatter',
  contributes: mounts('squatter', { prefix: '/jobs' }),
  files: { 'dist/mount.js': module_('') },
};

const KEYS = {
  READ_KEY: 'a-key-of-a-reader',
  ADMIN_KEY: 'a-key-of-an-administrator',
};
const AUTH = `server:
  auth:
    provider: api_key
    config:
      keys:
        - { key_ref: "env:READ_KEY", client_id: rita, tier: read }
        - { key_ref: "env:ADMIN_KEY", client_id: ada, tier: admin }
`;

let home: KitHome;
let server: ServeProcess;
let directory: string;
beforeAll(async () => {
  home = await makeHome();
  for (const plugin of [THINGS, NOSY, BROKEN, SQUATTER]) {
    const tarball = await packPlugin(await writePlugin(home.path, plugin), home.env);
    const { code, stdout, stderr } = await runKit(['plugins', 'install', tarball, '--yes', '--json'], {
      env: home.env,
    });
    if (code !== 0) throw new Error(stdout + stderr);
  }
  directory = await mkdtemp(join(tmpdir(), 'kit-mounted-'));
  for (const [path, text] of Object.entries(talk({ workspace: AUTH }))) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), text);
  }
  server = await startServe([directory], { ...home.env, ...KEYS });
}, 180_000);
afterAll(async () => {
  server?.kill('SIGTERM');
  await server?.ended;
  await rm(directory, { recursive: true, force: true });
  await home.remove();
});

async function ask(path: string, key?: string) {
  const response = await fetch(`${server.url}${path}`, {
    headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
  });
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Record<string, unknown>,
  };
}

describe('a packed plugin that mounts routes', () => {
  it('has them below its prefix; one without a tier is for administrators', async () => {
    expect((await ask('/acme-things/silent')).status).toBe(401);
    expect((await ask('/acme-things/silent', KEYS.READ_KEY)).status).toBe(403);
    expect(await ask('/acme-things/silent', KEYS.ADMIN_KEY)).toMatchObject({ status: 200, body: { seen: 'silent' } });
  });

  it('uses the use case that its manifest names, and no other', async () => {
    expect(await ask('/acme-things/jobs', KEYS.READ_KEY)).toMatchObject({ status: 200, body: { seen: 'object' } });
    expect(await ask('/acme-things/undeclared', KEYS.READ_KEY)).toMatchObject({
      status: 500,
      body: { code: 'plugin-call-failed', detail: expect.stringContaining('uses') },
    });
  });

  it('keeps its hook and its decorator to itself', async () => {
    expect((await ask('/acme-things/silent', KEYS.ADMIN_KEY)).headers.get('acme-saw')).toBe('ada');
    expect((await ask('/health')).headers.get('acme-saw')).toBeNull();
    const look = await ask('/acme-nosy/look', KEYS.READ_KEY);
    expect(look.body).toEqual({ seen: 'undefined' });
    expect(look.headers.get('acme-saw')).toBeNull();
  });

  it('is in the description of the server, with what it asks for', async () => {
    const { body } = await ask('/openapi.json', KEYS.READ_KEY);
    expect(body.paths).toHaveProperty(['/acme-things/silent', 'get', 'x-kit-tier'], 'admin');
    expect(body.paths).toHaveProperty(['/acme-things/jobs', 'get', 'x-kit-tier'], 'read');
    expect(body.paths).toHaveProperty(['/acme-nosy/look', 'get', 'x-kit-tier'], 'read');
    expect(Object.keys(body.paths as object)).not.toContain('/acme-broken');
  });

  it('that is broken, or wants a place of kit, is named at the start, and the server serves', async () => {
    expect(server.stderr()).toMatch(
      /warning: the routes of acme\.broken \(@acme\/kit-plugin-broken\) are not mounted: .*no database here/,
    );
    expect(server.stderr()).toMatch(
      /warning: the routes of acme\.squatter \(@acme\/kit-plugin-squatter\) are not mounted: .*\/jobs belongs to kit/,
    );
    expect((await ask('/jobs', KEYS.READ_KEY)).status).toBe(200);
  });
});
