import { describe, expect, it } from 'vitest';
import { KitError } from '../../../src/domain/errors.js';
import { compileSources } from '../../support/compile.js';
import { openTriggerTest, triggerFile } from '../../support/triggers/trigger-world.js';

const WORKSPACE = '/workspace';
const ada = { identity: 'ada', assurance: 'authenticated' } as const;
const SECRET = 'a-long-shared-secret';

const CRON = "type: cron\ntargets: [main, second@1.0.0]\nconfig: { expression: '0 * * * *', input: go }\n";
const EVENT = 'type: manual\ntargets: [main, { pipeline: oms, emit: build.ready }]\n';

describe('the list of triggers', () => {
  it('says of each what it fires, whether it can, and when it comes next', async () => {
    const { app } = await openTriggerTest({
      triggers: {
        nightly: CRON,
        ci: 'type: webhook\ntargets: [{ pipeline: oms, emit: build.ready, correlation_id: $.id }]\nconfig: { auth: { method: hmac, credentials_ref: none } }\n',
        off: 'type: manual\nenabled: false\ntargets: [main]\n',
      },
    });
    const [ci, nightly, off] = await app.list({ workspace: WORKSPACE });
    expect(ci).toMatchObject({
      id: 'ci',
      active: false,
      targets: [],
      pipelineTargets: [{ pipeline: 'oms', emit: 'build.ready', correlationId: '$.id' }],
    });
    expect(ci?.reason).toContain('`none`');
    expect(nightly).toMatchObject({
      active: true,
      reason: null,
      targets: ['main', 'second@1.0.0'],
      nextFireAt: '2026-01-02T04:00:00.000Z',
    });
    expect(off).toMatchObject({ enabled: false, active: false, reason: 'it is disabled', nextFireAt: null });
  });

  it('shows no secret that somebody wrote into a config', async () => {
    const { app } = await openTriggerTest({
      triggers: {
        nightly: `type: cron\ntargets: [main]\nconfig: { expression: '0 6 * * *', input: { token: plain-token, note: 'with ${SECRET}' } }\n`,
      },
      secrets: { any: SECRET },
    });
    const text = JSON.stringify(await app.list({ workspace: WORKSPACE }));
    expect(text).not.toContain(SECRET);
    expect(text).not.toContain('plain-token');
  });
});

describe('firing by hand', () => {
  it('starts every target as the person who asked', async () => {
    const { app, submitted, audit } = await openTriggerTest({ triggers: { nightly: CRON } });
    const fired = await app.fire({ workspace: WORKSPACE, id: 'nightly', by: ada });
    expect(fired.targets.map(({ target, refusal }) => [target, refusal])).toEqual([
      ['main', null],
      ['second@1.0.0', null],
    ]);
    expect(submitted).toHaveLength(2);
    expect(submitted[0]).toMatchObject({ topology: 'main', input: 'go', source: 'trigger:nightly', submittedBy: ada });
    expect(await audit()).toEqual([
      {
        trigger: 'nightly',
        type: 'cron',
        occurrence: null,
        by: 'ada',
        targets: [
          { target: 'main', job_id: '000000000001', refused: null },
          { target: 'second@1.0.0', job_id: '000000000002', refused: null },
        ],
      },
    ]);
  });

  it('gives the input that it is asked for, or the name of the trigger', async () => {
    const { app, submitted } = await openTriggerTest({ triggers: { now: 'type: manual\ntargets: [main]\n' } });
    await app.fire({ workspace: WORKSPACE, id: 'now', by: ada });
    await app.fire({ workspace: WORKSPACE, id: 'now', by: ada, input: { a: 1 } });
    expect(submitted.map(({ input }) => input)).toEqual(['trigger:now', { a: 1 }]);
  });

  it('refuses an unknown one with the likely name, and a disabled one', async () => {
    const { app, submitted } = await openTriggerTest({ triggers: { nightly: `${CRON}enabled: false\n` } });
    await expect(app.fire({ workspace: WORKSPACE, id: 'nightli', by: ada })).rejects.toMatchObject({
      code: 'KIT_TRIGGER_UNKNOWN',
      hint: 'Did you mean nightly?',
    });
    await expect(app.fire({ workspace: WORKSPACE, id: 'nightly', by: ada })).rejects.toMatchObject({
      code: 'KIT_TRIGGER_DISABLED',
    });
    expect(submitted).toEqual([]);
  });

  it('starts the other targets when one is refused, and says what refused it', async () => {
    const full = new KitError('KIT_CAPACITY', 'every slot is taken', { data: { retryAfterSeconds: 2 } });
    const { app, audit, logged } = await openTriggerTest({ triggers: { nightly: CRON }, refuse: { main: full } });
    const { targets } = await app.fire({ workspace: WORKSPACE, id: 'nightly', by: ada });
    expect(targets.map(({ refusal }) => refusal?.code ?? null)).toEqual(['KIT_CAPACITY', null]);
    expect(await audit()).toMatchObject([{ targets: [{ refused: 'KIT_CAPACITY', job_id: null }, { refused: null }] }]);
    expect(logged).toHaveLength(1);
  });

  it('throws what refused the targets when it started none', async () => {
    const full = new KitError('KIT_CAPACITY', 'every slot is taken', { data: { retryAfterSeconds: 2 } });
    const { app, audit } = await openTriggerTest({
      triggers: { nightly: CRON },
      refuse: { main: full, 'second@1.0.0': full },
    });
    await expect(app.fire({ workspace: WORKSPACE, id: 'nightly', by: ada })).rejects.toMatchObject({
      code: 'KIT_CAPACITY',
      data: { retryAfterSeconds: 2 },
    });
    expect(await audit()).toHaveLength(1);
  });

  it('hands events on with the correlation id of the input, beside the runs', async () => {
    const { app, emitted, submitted } = await openTriggerTest({ triggers: { ready: EVENT } });
    await app.fire({
      workspace: WORKSPACE,
      id: 'ready',
      by: ada,
      input: { correlation_id: 'c-1', source_event_id: 'e-9' },
    });
    expect(submitted).toHaveLength(1);
    expect(emitted).toEqual([
      {
        workspace: WORKSPACE,
        trigger: 'ready',
        pipeline: 'oms',
        event: 'build.ready',
        correlationId: 'c-1',
        sourceEventId: 'e-9',
      },
    ]);
    const { targets } = await app.fire({ workspace: WORKSPACE, id: 'ready', by: ada });
    expect(targets.map(({ target, refusal }) => [target, refusal?.code ?? null])).toEqual([
      ['main', null],
      ['oms:build.ready', 'KIT_REQUEST_MALFORMED'],
    ]);
  });
});

describe('the triggers of a server', () => {
  const HOUR_MS = 3_600_000;

  it('fire by themselves as the trigger and not as a person', async () => {
    const { app, clock, submitted, audit } = await openTriggerTest({ triggers: { nightly: CRON } });
    await app.start({ workspace: WORKSPACE });
    await clock.advance(HOUR_MS);
    await app.stop();
    expect(
      submitted.map(({ topology, source, submittedBy, input }) => ({ topology, source, submittedBy, input })),
    ).toEqual([
      {
        topology: 'main',
        source: 'trigger:nightly',
        submittedBy: { identity: 'trigger:nightly', assurance: 'system' },
        input: 'go',
      },
      {
        topology: 'second@1.0.0',
        source: 'trigger:nightly',
        submittedBy: { identity: 'trigger:nightly', assurance: 'system' },
        input: 'go',
      },
    ]);
    expect(await audit()).toMatchObject([{ trigger: 'nightly', occurrence: '2026-01-02T04:00:00.000Z', by: null }]);
  });

  it('fire in each of two workspaces that share a database and a name', async () => {
    const first = await openTriggerTest({ triggers: { nightly: CRON } });
    const { workspace } = await compileSources({
      'topologies/main.yaml':
        'apiVersion: kit/v1\nkind: Topology\nmetadata: { name: main, version: 1.0.0 }\nagents:\n  root: { id: root, role: root, children: [] }\n',
      'triggers/nightly.yaml': triggerFile('nightly', CRON.replace(', second@1.0.0', '')),
    });
    if (workspace === null) throw new Error('the workspace does not compile');
    const second = await openTriggerTest({
      triggers: {},
      workspace: { ...workspace, id: 'another' },
      stores: first.stores,
    });
    for (const { app } of [first, second]) await app.start({ workspace: WORKSPACE });
    for (const { clock } of [first, second]) await clock.advance(HOUR_MS);
    for (const { app } of [first, second]) await app.stop();
    expect([first.submitted.length, second.submitted.length]).toEqual([2, 1]);
  });

  it('stay quiet when they are disabled', async () => {
    const { app, clock, submitted } = await openTriggerTest({ triggers: { nightly: `${CRON}enabled: false\n` } });
    await app.start({ workspace: WORKSPACE });
    await clock.advance(3 * HOUR_MS);
    expect(submitted).toEqual([]);
  });

  it('are those of the files after a reload', async () => {
    const { app, clock, submitted, reload } = await openTriggerTest({ triggers: { nightly: CRON } });
    await app.start({ workspace: WORKSPACE });
    await reload({ other: "type: cron\ntargets: [second]\nconfig: { expression: '30 * * * *' }\n" });
    await clock.advance(HOUR_MS);
    expect(submitted.map(({ source }) => source)).toEqual(['trigger:other']);
    await app.stop();
    await reload({ nightly: CRON });
    await clock.advance(HOUR_MS);
    expect(submitted).toHaveLength(1);
  });

  it('go on when a start was refused', async () => {
    const refuse = {
      main: new KitError('KIT_CAPACITY', 'every slot is taken'),
      'second@1.0.0': new Error('a bug') as KitError,
    };
    const { app, clock, audit, logged } = await openTriggerTest({ triggers: { nightly: CRON }, refuse });
    await app.start({ workspace: WORKSPACE });
    await clock.advance(2 * HOUR_MS);
    await app.stop();
    expect(await audit()).toMatchObject([
      { targets: [{ refused: 'KIT_CAPACITY' }, { refused: 'KIT_INTERNAL' }] },
      { targets: [{ refused: 'KIT_CAPACITY' }, { refused: 'KIT_INTERNAL' }] },
    ]);
    expect(logged).toHaveLength(4);
  });

  it('tell of a defect that there was one, and its words to the log alone', async () => {
    const { app } = await openTriggerTest({
      triggers: { nightly: CRON },
      refuse: { main: new Error('a secret of the inside') as KitError },
    });
    const { targets } = await app.fire({
      workspace: WORKSPACE,
      id: 'nightly',
      by: { identity: 'alice', assurance: 'authenticated' },
    });
    expect(targets.find(({ target }) => target === 'main')?.refusal).toEqual({
      code: 'KIT_INTERNAL',
      message: 'the server failed to start it',
      data: {},
    });
  });

  it('are listed with what kept them from starting', async () => {
    const { app, logged } = await openTriggerTest({
      triggers: { watch: 'type: file_watch\ntargets: [main]\nconfig: { root: nowhere }\n' },
    });
    await app.start({ workspace: WORKSPACE });
    expect(await app.list({ workspace: WORKSPACE })).toMatchObject([
      { id: 'watch', active: false, reason: expect.any(String) },
    ]);
    expect(logged[0]).toContain('trigger watch is inactive');
  });
});
