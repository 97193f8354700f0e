import { writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { createServer, request, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { browse } from '../support/components/browse-login.mjs';
import { makeCertificate, type OwnCertificate } from '../support/components/certificate.js';
import { startLoginProvider } from '../support/components/login-provider.js';
import { startServe } from '../support/http/serve-process.js';
import { loginText } from './login-scene.js';
import { callOf, inputOf, startCallingModel } from './tools/tool-world.js';
import { talk } from './workspaces.js';
import { lastOf, makeWorld } from './world.js';

/** What stands before a server and speaks TLS for it. */
interface Front {
  readonly url: string;
  /** Paths that were asked for. */
  readonly asked: string[];
  /** Where requests go. */
  lead(url: string): void;
}

async function startFront(certificate: OwnCertificate): Promise<Front> {
  const asked: string[] = [];
  let target = '';
  const server: Server = createServer(certificate, (incoming, outgoing) => {
    asked.push(incoming.url ?? '');
    const { method = 'GET', headers } = incoming;
    const passed = httpRequest(`${target}${incoming.url}`, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    asked,
    lead: (url) => {
      target = url;
    },
  };
}

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly cookie: string;
}

/** As a browser of a person who trusts the certificate. */
function ask(url: string, ca: string, init: { readonly cookie?: string; readonly json?: object } = {}) {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const headers = {
    ...(init.cookie === undefined ? {} : { cookie: init.cookie }),
    ...(init.json === undefined ? {} : { 'content-type': 'application/json' }),
  };
  const sent = request(url, { ca, agent: false, method: init.json === undefined ? 'GET' : 'POST', headers }, (got) => {
    let body = '';
    got.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    const cookie = got.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
    got.on('end', () => resolve({ status: got.statusCode ?? 0, body, cookie }));
  });
  sent.on('error', reject);
  sent.end(init.json === undefined ? undefined : JSON.stringify(init.json));
  return promise;
}

const INPUT = inputOf([callOf('greet')]);

it('a provider knows a server by the document that it fetches of it over TLS, at login and at refresh', async () => {
  const world = await makeWorld();
  onTestFinished(() => world.dispose());
  const certificate = makeCertificate('localhost');
  const ca = join(world.temp, 'ca.pem');
  writeFileSync(ca, certificate.cert);
  const [front, provider, model] = await Promise.all([
    startFront(certificate),
    startLoginProvider({ ca }),
    startCallingModel(),
  ]);
  onTestFinished(() => provider.close());
  onTestFinished(() => model.close());
  const { text, files } = loginText(provider.endpoint);
  const workspace = `${text}server: { public_url: "${front.url}" }\n`;
  const dir = world.files('public', talk({ provider: 'local', root: '    skills: [greet]\n', workspace, files }));
  const env = { ...world.env, MODEL_URL: model.url, LOCAL_KEY: 'key-of-the-test' };
  const server = await startServe([dir], env);
  onTestFinished(async () => {
    server.kill('SIGKILL');
    await server.ended;
  });
  front.lead(server.url);
  await provider.behave({ ttl: 300, registration: false });

  const begun = await ask(`${front.url}/api/oauth/login`, certificate.cert, { json: { credential_id: 'notes' } });
  expect(begun.status, begun.body + server.stderr()).toBe(200);
  const { authorization_url: address } = JSON.parse(begun.body);
  const document = `${front.url}/auth/mcp/client.json`;
  expect(new URL(address).searchParams.get('client_id')).toBe(document);
  const end = await browse(address);
  expect(end.startsWith(`${front.url}/auth/mcp/callback?`)).toBe(true);
  const page = await ask(end, certificate.cert, { cookie: begun.cookie });

  expect(page, server.stderr()).toMatchObject({ status: 200, body: expect.stringContaining('notes') });
  expect(front.asked).toContain('/auth/mcp/client.json');
  const after = await provider.behave({ ttl: 3600 });
  expect([after.documents, after.registered]).toEqual([1, 0]);
  const listed = await ask(`${front.url}/api/oauth/credentials`, certificate.cert);
  expect(JSON.parse(listed.body).credentials).toMatchObject([
    { credential_id: 'notes', owner: 'local', provider: provider.origin, has_refresh_token: true, problem: null },
  ]);

  // The token is refreshed by the same client, from a command line that nobody has logged in with.
  const run = await world.here(['run', dir, 'talk', '--input', INPUT, '--json'], { env });
  expect(lastOf(run), run.stdout + run.stderr).toMatchObject({
    status: 'completed',
    output: expect.stringContaining('hello from the notes'),
  });
  expect((await provider.counts()).refresh - after.refresh).toBe(1);
});
