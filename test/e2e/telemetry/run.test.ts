import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { spanIdFrom } from '../../../src/lib/trace-context.js';
import { type OtlpReceiver, startOtlpReceiver } from '../../support/components/otlp.js';
import { startModelServer } from '../../support/model-server.js';
import { faultsOf, pathsOf } from '../../support/telemetry/span-tree.js';
import { makeRepositoryIn } from '../repository.js';
import { harnessWorkspace, localProvider, noteSkill, talk } from '../workspaces.js';
import { lastOf, makeWorld, type World } from '../world.js';

const API_KEY = 'sk-the-key-of-the-receiver-123';
const PLANTED = 'planted-secret-value-4711';
const OUTSIDE = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };

let world: World;
let receiver: OtlpReceiver;
beforeEach(async () => {
  world = await makeWorld();
  onTestFinished(() => world.dispose());
  receiver = await startOtlpReceiver();
});

const exporting = (): NodeJS.ProcessEnv => ({ KIT_OTEL_EXPORTER: 'otlp', KIT_OTEL_ENDPOINT: receiver.url });

/** `boss` notes a text with a command that writes its trace down, then answers. */
async function noting(command = 'printf %s "$TRACEPARENT" > trace.txt; echo "$PLANTED_TOKEN"') {
  const model = await startModelServer((request) =>
    request.body.messages.at(-1)?.role === 'tool'
      ? { do: 'answer', text: 'all done' }
      : { do: 'answer', calls: [{ name: 'note', arguments: { text: PLANTED } }] },
  );
  onTestFinished(() => model.close());
  const skill = noteSkill(`[sh, -c, '${command}']`, '    env: { PLANTED_TOKEN: "${PLANTED_TOKEN}" }\n');
  const dir = world.files(
    'noting',
    talk({
      provider: 'local',
      workspace: skill.workspace,
      root: '    skills: [note]\n',
      files: { ...skill.files, 'providers/local.yaml': localProvider },
    }),
  );
  return { dir, model, env: { MODEL_URL: model.url, LOCAL_KEY: 'key-of-the-test', PLANTED_TOKEN: PLANTED } };
}

const traceOf = (text: string): { readonly traceId: string; readonly spanId: string } => {
  const [, traceId = '', spanId = ''] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-01$/.exec(text) ?? [];
  return { traceId, spanId };
};

describe('kit run', () => {
  it('exports its run at its end: one tree below whoever submitted it, with what the conventions name', async () => {
    const { dir, env, model } = await noting();

    const result = await world.kit(['run', dir, 'talk', '--input', 'hi', '--correlation-id', 'order-7', '--json'], {
      env: { ...env, ...exporting(), TRACEPARENT: `00-${OUTSIDE.traceId}-${OUTSIDE.spanId}-01` },
    });

    expect([result.code, result.stderr]).toEqual([0, '']);
    const id = String(lastOf(result).id);
    await expect.poll(() => receiver.points()).not.toEqual([]);
    const spans = receiver.spans();
    expect(receiver.requests.map(({ signal, contentType, error }) => [signal, contentType, error])).toEqual([
      ['traces', 'application/x-protobuf', undefined],
      ['metrics', 'application/x-protobuf', undefined],
    ]);
    expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([OUTSIDE.traceId]));
    expect(faultsOf(spans, OUTSIDE.spanId)).toEqual([]);
    expect(pathsOf(spans)).toEqual([
      'run.submit talk',
      'run.submit talk > run.queue',
      'run.submit talk > topology.run',
      'run.submit talk > topology.run > agent.step.boss',
      'run.submit talk > topology.run > agent.step.boss > chat m1',
      'run.submit talk > topology.run > agent.step.boss > chat m1',
      'run.submit talk > topology.run > agent.step.boss > tool.call.note',
      'run.submit talk > topology.run > run.attempt',
    ]);
    const find = (name: string) => spans.find((span) => span.name === name);
    expect(find('run.submit talk')?.attributes).toMatchObject({
      'kit.door': 'cli',
      'kit.topology': 'talk',
      'kit.correlation_id': 'order-7',
      'kit.run.id': id,
    });
    expect(find('run.attempt')?.attributes).toMatchObject({ 'kit.attempt': 1, 'kit.worker.id': expect.any(String) });
    expect(find('chat m1')).toMatchObject({
      kind: 3,
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'local',
        'gen_ai.request.model': 'm1',
        'gen_ai.agent.name': 'boss',
        'gen_ai.usage.input_tokens': expect.any(Number),
        'gen_ai.usage.output_tokens': expect.any(Number),
      },
      resource: { 'service.name': 'kit', 'service.version': expect.any(String), 'kit.workspace.id': 'talk' },
    });
    // A process of a step, and a model, hang their own spans below that of the step.
    expect(traceOf(readFileSync(join(dir, 'trace.txt'), 'utf8'))).toEqual({
      traceId: OUTSIDE.traceId,
      spanId: find('tool.call.note')?.spanId,
    });
    const chats = spans.filter(({ name }) => name === 'chat m1').map(({ spanId }) => spanId);
    expect(model.requests.map(({ headers }) => traceOf(String(headers.traceparent)).spanId).sort()).toEqual(
      chats.sort(),
    );

    const points = receiver.points();
    const values = (metric: string) =>
      points.filter((point) => point.metric === metric).map(({ value, count }) => value ?? count);
    expect(values('runs.total')).toEqual([1]);
    expect(values('agent.steps.total')).toEqual([1]);
    expect(values('tool.calls.total')).toEqual([1]);
    expect(values('governance.decisions.total')).toEqual([2]);
    expect(values('gen_ai.client.operation.duration')).toEqual([2]);
    expect(
      points
        .filter(({ metric }) => metric === 'gen_ai.client.token.usage')
        .map(({ attributes }) => attributes['gen_ai.token.type'])
        .sort(),
    ).toEqual(['input', 'output']);
    for (const name of ['runs.duration', 'tool.duration']) expect(values(name)).toEqual([1]);
  });

  it('names the span of a session to its harness', async () => {
    const script = 'printf %s "$TRACEPARENT" > "$TMPDIR/trace.txt"; echo "{\\"type\\":\\"done\\",\\"text\\":\\"ok\\"}"';
    const repo = makeRepositoryIn(world, 'harness', harnessWorkspace(script));
    const refused = await world.kit(['run', repo.root, 'own', '--input', 'hi']);
    const trust = /--trust ([0-9a-f]{64})/.exec(refused.stderr)?.[1] ?? '';

    const result = await world.kit(['run', repo.root, 'own', '--input', 'hi', '--trust', trust, '--json'], {
      env: exporting(),
    });

    expect(result.code).toBe(0);
    await expect.poll(() => receiver.spans()).not.toEqual([]);
    expect(faultsOf(receiver.spans())).toEqual([]);
    const session = receiver.spans().find(({ name }) => name === 'executor.run.harness:own');
    expect(traceOf(readFileSync(join(world.temp, 'trace.txt'), 'utf8'))).toEqual({
      traceId: session?.traceId,
      spanId: session?.spanId,
    });
  });

  it('tells of a run that another process went on with after kill -9 as of one', async () => {
    const { dir, env } = await noting('echo "$TRACEPARENT" >> traces; [ -e go ] || sleep 600');
    const killed = world.start(['run', dir, 'talk', '--input', 'hi', '--json'], {
      env: { ...env, ...exporting() },
      stdin: '',
    });
    await vi.waitFor(() => expect(readFileSync(join(dir, 'traces'), 'utf8')).toContain('-01'), { timeout: 60_000 });
    killed.child.kill('SIGKILL');
    await killed.ended;
    world.files('noting', { go: '' });

    const resumed = await world.kit(['run', dir, 'talk', '--resume', '--json'], { env: { ...env, ...exporting() } });

    expect(resumed.code).toBe(0);
    const id = String(lastOf(resumed).id);
    await expect.poll(() => receiver.spans()).not.toEqual([]);
    const spans = receiver.spans();
    // What the dead process had done, and could tell nobody, is told too.
    expect(spans.filter(({ name }) => name === 'chat m1')).toHaveLength(2);
    const tool = spans.find(({ name }) => name === 'tool.call.note');
    const [first = '', second = ''] = readFileSync(join(dir, 'traces'), 'utf8').trim().split('\n');
    expect(traceOf(first)).toEqual({ traceId: tool?.traceId, spanId: expect.not.stringMatching(tool?.spanId ?? '') });
    expect(traceOf(second)).toEqual({ traceId: tool?.traceId, spanId: tool?.spanId });
    expect(tool?.spanId).toBe(spanIdFrom(id, `${keyOf(resumed, 'skill.executed')}~2`));
    expect(faultsOf(spans)).toEqual([]);
    expect(
      spans
        .filter(({ name }) => name === 'run.attempt')
        .map(({ attributes }) => [attributes['kit.attempt'], attributes['error.type']]),
    ).toEqual([
      [1, 'lease_lost'],
      [2, undefined],
    ]);
  }, 60_000);

  it('shows no secret and no key anywhere', async () => {
    const { dir, env } = await noting();
    const secret = { ...env, ...exporting(), KIT_OTEL_API_KEY: API_KEY, KIT_OTEL_HEADERS: `x-team-token=${PLANTED}` };

    const result = await world.kit(['run', dir, 'talk', '--input', `say ${PLANTED}`, '--verbose'], { env: secret });
    await receiver.behave({ status: 401 });
    const refused = await world.kit(['run', dir, 'talk', '--input', 'hi'], { env: secret });

    expect([result.code, refused.code]).toEqual([0, 0]);
    expect(receiver.requests[0]?.headers).toMatchObject({
      authorization: `Bearer ${API_KEY}`,
      'x-team-token': PLANTED,
    });
    expect(refused.stderr).toContain('was not exported: the receiver answered 401');
    const bodies = receiver.requests.map(({ base64 }) => Buffer.from(base64, 'base64').toString('latin1'));
    for (const text of [...bodies, result.stderr, refused.stderr, refused.stdout]) {
      expect(text).not.toContain(API_KEY);
      expect(text).not.toContain(PLANTED);
    }
    const system = await world.kit(['system', dir, '--json'], { env: secret });
    expect(system.stdout).toContain('KIT_OTEL_HEADERS');
    expect(system.stdout).not.toContain(API_KEY);
    expect(system.stdout).not.toContain(PLANTED);
  });

  it.each([
    [
      'cannot be reached',
      async () => ({ KIT_OTEL_ENDPOINT: 'http://127.0.0.1:9' }),
      /was not exported: the receiver cannot be reached/,
    ],
    [
      'does not answer',
      async () => void (await receiver.behave({ hang: true })),
      /was not exported: it took longer than 2 s/,
    ],
    [
      'is broken',
      async () => void (await receiver.behave({ status: 503 })),
      /was not exported: the receiver answered 503/,
    ],
  ])('completes all the same, and says so, where the receiver %s', async (_what, arrange, said) => {
    const dir = world.files('talk', talk());
    const over = await arrange();

    const result = await world.kit(['run', dir, 'talk', '--input', 'hi'], { env: { ...exporting(), ...over } });

    expect([result.code, result.stdout]).toEqual([0, 'mock answer to: hi\n']);
    expect(result.stderr).toMatch(said);
    expect(result.stderr.match(/not exported/g)).toHaveLength(1);
  });

  it('writes to stderr with the exporter console, and leaves stdout to the result', async () => {
    const dir = world.files('talk', talk());

    const result = await world.kit(['run', dir, 'talk', '--input', 'hi'], { env: { KIT_OTEL_EXPORTER: 'console' } });

    expect(result.stdout).toBe('mock answer to: hi\n');
    const [line = ''] = result.stderr.split('\n').filter((text) => text.startsWith('[{"span"'));
    expect(JSON.parse(line)).toContainEqual(expect.objectContaining({ span: 'agent.step.boss' }));
  });

  it('sends JSON where it is asked to, to a receiver that the workspace names', async () => {
    const dir = world.files(
      'talk',
      talk({
        workspace: `events: [{ sink: plugin, provider_id: otel, config: { endpoint: "${receiver.url}/v1/traces" } }]\n`,
      }),
    );

    const result = await world.kit(['run', dir, 'talk', '--input', 'hi'], {
      env: { OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json', OTEL_SERVICE_NAME: 'shop' },
    });
    const off = await world.kit(['run', dir, 'talk', '--input', 'hi'], { env: { KIT_OTEL_EXPORTER: 'none' } });

    expect([result.code, off.code]).toEqual([0, 0]);
    expect(receiver.requests.map(({ contentType, error }) => [contentType, error])).toEqual([
      ['application/json', undefined],
      ['application/json', undefined],
    ]);
    expect(faultsOf(receiver.spans())).toEqual([]);
    expect(receiver.spans()[0]?.resource).toMatchObject({ 'service.name': 'shop' });
  });

  it.each([
    ['KIT_OTEL_EXPORTER', 'zipkin'],
    ['KIT_OTEL_ENDPOINT', 'not a url'],
    ['KIT_OTEL_ENDPOINT', 'http://user:hunter2-secret@127.0.0.1:1'],
    ['KIT_OTEL_HEADERS', 'no equals sign'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
  ])('is refused for %s=%s before anything is written', async (name, value) => {
    const dir = world.files('talk', talk());

    const result = await world.kit(['run', dir, 'talk', '--input', 'hi'], { env: { ...exporting(), [name]: value } });

    expect(result.code).toBe(2);
    expect(result.stderr).toContain(`error[KIT_ENV_INVALID]: ${name} `);
    expect(result.stderr).not.toContain('hunter2-secret');
    expect((await world.kit(['status', dir, '--json'])).stdout).not.toContain('"id"');
  });
});

/** Key of the step of the last event of a type that `--json` printed. */
const keyOf = (result: { readonly lines: () => readonly Record<string, unknown>[] }, type: string): string =>
  String(result.lines().findLast((line) => line.event_type === type)?.step_key);
