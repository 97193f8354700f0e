import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isKitError } from '../../../src/domain/errors.js';
import { openSceneApp } from '../../support/scene/scene-app.js';
import { showsEffect } from '../../support/shows-effect.js';
import { ARTIFACT_ENV, ARTIFACT_PROOFS, artifactProofs } from './proofs/artifact-proofs.js';
import { VERDICTS } from './proofs/verdict-scene.js';

/** What was asked of the service: method, path, key and region. The signature differs each time. */
const asked: string[] = [];
const server = createServer((request, response) => {
  const [, credential = ''] = /Credential=([^,]+)/.exec(request.headers.authorization ?? '') ?? [];
  asked.push(`${request.method} ${request.url} ${credential.replace(/\/\d{8}\//, '/')}`);
  request.resume().on('end', () => response.writeHead(request.method === 'PUT' ? 200 : 404).end());
});
let endpoint = '';
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // listening on a port gives an address with one
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  const closed = once(server, 'close');
  server.closeAllConnections();
  server.close();
  await closed;
});

/** Puts one artifact as a run of the workspace would. */
async function put(directory: string): Promise<{ readonly refused: string | null; readonly seen: unknown }> {
  const app = openSceneApp(directory, { env: { PATH: process.env.PATH ?? '', ...ARTIFACT_ENV } });
  const artifact = { correlation: 'c', runId: 'r', name: 'n', mediaType: 'text/plain', bytes: randomBytes(16) };
  try {
    const { sha256, ref } = await (await (await app.session()).openStores()).artifacts.put(artifact);
    const files = (await readdir(directory, { recursive: true }))
      .filter((path) => path.endsWith(sha256))
      .map((path) => dirname(dirname(path)));
    return {
      refused: null,
      seen: [
        ref,
        files,
        ...asked.filter((line) => line.includes(sha256)).map((line) => line.replace(sha256, 'SHA256')),
      ],
    };
  } catch (error) {
    if (!isKitError(error)) throw error;
    return { refused: error.code, seen: error.message };
  } finally {
    await app.close();
  }
}

test.each(ARTIFACT_PROOFS.map(({ key }) => key))('%s changes where the bytes of an artifact go', async (key) => {
  const { a, b, given, refuses, refusesBoth } =
    artifactProofs(endpoint).find((one) => one.key === key) ?? expect.fail(key);
  const refusals = new Set<string | null>();
  const observe = async (directory: string): Promise<unknown> => {
    const { refused, seen } = await put(directory);
    refusals.add(refused);
    return seen;
  };

  await showsEffect(key, a, b, { base: VERDICTS, observe, ...(given === undefined ? {} : { given }) });

  // A side that was refused for another reason would differ without any effect of the key.
  expect(refusals).toEqual(
    new Set(refusesBoth === undefined ? [null, ...(refuses === undefined ? [] : [refuses])] : [refusesBoth]),
  );
});
