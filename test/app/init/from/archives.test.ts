import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type TarPart, tarOf } from '../../../support/tar-of.js';
import { planIn, textOf, YAML } from './planned.js';

let base: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'kit-init-from-')));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));
const plan = (from: string, environment?: NodeJS.ProcessEnv) => planIn(base, from, environment);

const packed = (parts: readonly TarPart[]): Uint8Array =>
  gzipSync(tarOf([{ path: 'package/workspace.yaml', text: YAML }, ...parts]));

describe('a workspace from a packed archive', () => {
  const archive = (bytes: Uint8Array): Promise<unknown> => {
    writeFileSync(join(base, 'team.tgz'), bytes);
    return plan('team.tgz');
  };

  it.each<[string, TarPart, string]>([
    ['a way out of its folder', { path: 'package/../../evil.sh', text: 'x' }, '"../../evil.sh" is not a name'],
    ['a way out at the top', { path: '../evil.sh', text: 'x' }, '"../evil.sh" is not a name'],
    ['an absolute name', { path: '/evil.sh', text: 'x' }, '"/evil.sh" is not a name'],
    ['a link out', { path: 'package/a', type: '2', target: '/etc/passwd' }, 'a link out of the source'],
    ['a hard link', { path: 'package/a', type: '1', target: 'package/workspace.yaml' }, 'a hard link'],
    ['a device', { path: 'package/a', type: '3' }, 'is a device'],
  ])('is refused with %s', async (_, part, message) => {
    await expect(archive(packed([part]))).rejects.toThrow(message);
  });

  it('is refused where it is none, or unpacks to more than is read', async () => {
    await expect(archive(Buffer.from('no archive'))).rejects.toThrow('it is not a gzipped tar archive');
    await expect(archive(gzipSync(Buffer.alloc(1_000, 65)))).rejects.toThrow('it is not a tar archive, or cut off');
    await expect(archive(gzipSync(Buffer.alloc(41 * 1024 * 1024)))).rejects.toThrow('it unpacks to more than');
    await expect(archive(packed([]).subarray(0, 60))).rejects.toThrow('it is not a gzipped tar archive');
  });
});

describe('a workspace from the npm registry', () => {
  let server: Server | undefined;
  afterAll(() => {
    server?.close();
  });

  it('is fetched by npm, with its name, version and integrity, and no script of it runs', async () => {
    const ran = join(base, 'ran');
    const scripts = { preinstall: `touch ${ran}`, prepare: `touch ${ran}`, prepack: `touch ${ran}` };
    const manifest = { name: 'review-team', version: '1.2.0', scripts };
    const bytes = packed([{ path: 'package/package.json', text: JSON.stringify(manifest) }]);
    const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
    server = createServer((request, response) => {
      const at = `http://${request.headers.host}`;
      if (request.url?.endsWith('.tgz')) return void response.end(bytes);
      if (request.url !== '/review-team') return void response.writeHead(404).end('{}');
      const dist = { tarball: `${at}/review-team/-/review-team-1.2.0.tgz`, integrity };
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify({
          name: 'review-team',
          'dist-tags': { latest: '1.2.0' },
          versions: { '1.2.0': { ...manifest, dist } },
        }),
      );
    });
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    const env = {
      PATH: process.env.PATH,
      HOME: base,
      npm_config_cache: join(base, 'cache'),
      npm_config_registry: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
      npm_config_ignore_scripts: 'false',
    };

    const found = await plan('review-team', env);

    expect(found.origin).toEqual({ kind: 'npm', name: 'review-team', version: '1.2.0', integrity });
    expect(textOf(found, 'workspace.yaml')).toBe(`# From ${found.source}\n${YAML}`);
    expect(found.programs).toContainEqual({
      what: 'npm script preinstall',
      text: `touch ${ran}`,
      place: 'package.json',
    });
    expect([existsSync(ran), readdirSync(join(base, 'temp'))]).toEqual([false, []]);
    await expect(plan('no-such-team', env)).rejects.toMatchObject({
      code: 'KIT_USAGE',
      message: '--from: no-such-team: the registry has no such package or version',
    });
  });
});
