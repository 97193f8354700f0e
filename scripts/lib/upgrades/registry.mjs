import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { NEWEST } from './pack-versions.mjs';

const YEAR_AGO = new Date(Date.now() - 365 * 86_400_000).toISOString();

/** A registry that has these versions of kit, and of everything else what the one of npm has. */
export async function startRegistry(packed) {
  const upstream = spawnSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).stdout.trim();
  const [{ pjson }] = packed;
  let url = '';
  const packument = () => ({
    name: pjson.name,
    'dist-tags': { latest: NEWEST },
    // Some take no version that is younger than a day.
    time: Object.fromEntries(
      ['created', 'modified', ...packed.map((one) => one.pjson.version)].map((at) => [at, YEAR_AGO]),
    ),
    versions: Object.fromEntries(
      packed.map(({ pjson: own, integrity, shasum }) => [
        own.version,
        { ...own, dist: { tarball: `${url}tarballs/${own.version}.tgz`, integrity, shasum } },
      ]),
    ),
  });
  const server = createServer((request, response) => void answer(request, response));
  async function answer(request, response) {
    const path = decodeURIComponent(request.url ?? '');
    const version = /^\/tarballs\/(.+)\.tgz$/.exec(path)?.[1];
    if (version !== undefined) return response.end(packed.find((one) => one.pjson.version === version)?.archive);
    if (path === `/${pjson.name}`)
      return response.setHeader('content-type', 'application/json').end(JSON.stringify(packument()));
    try {
      const accept = request.headers.accept ?? 'application/json';
      const answer = await fetch(new URL((request.url ?? '').slice(1), upstream), { headers: { accept } });
      const type = answer.headers.get('content-type') ?? 'application/json';
      response.writeHead(answer.status, { 'content-type': type });
      const body = Buffer.from(await answer.arrayBuffer());
      // Archives come this way too, whatever the machine trusts.
      response.end(
        type.includes('json')
          ? String(body).replaceAll(/"tarball": *"https?:\/\/[^/"]+\//g, `"tarball":"${url}`)
          : body,
      );
    } catch {
      response.writeHead(502).end('{}');
    }
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${server.address().port}/`;
  return {
    url,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
