import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startServe } from '../../support/http/serve-process.js';
import { projectRoot } from '../../support/kit-process.js';
import { makeWorld, type World } from '../world.js';
import { MAY_DIFFER, neutral, OF_THE_ENTRY, OWN, pick, SAME, started } from './compare.js';
import { type Differs, ENTRY_POINTS, type EntryPoint, type House } from './entry-points.js';
import { openTrail } from './trail.js';
import { CASES, type Case, entryWorkspace, HOOK_SECRET, scripted } from './workspace.js';

let world: World;
let house: House;
beforeAll(async () => {
  world = await makeWorld();
  const dir = world.files('entry-points', scripted(entryWorkspace()));
  const env = { ...world.env, HOOK_SECRET };
  const server = await startServe([dir], env);
  await vi.waitUntil(async () => (await fetch(`${server.url}/health`)).status === 200, {
    timeout: 30_000,
    interval: 50,
  });
  const trail = openTrail(join(dir, '.kit', 'store.sqlite'));
  const client = async (served: string, message: object): Promise<string> => {
    const live = world.start(['mcp', 'serve', served], { env });
    live.child.stdin?.write(`${JSON.stringify(message)}\n`);
    await vi.waitUntil(() => live.stdout().includes('\n'), { timeout: 60_000, interval: 50 });
    live.child.stdin?.end();
    return (await live.ended).stdout;
  };
  house = { dir, server, trail, client, kit: (...argv) => world.kit(argv, { env }) };
});
afterAll(async () => {
  house.server.kill('SIGKILL');
  await house.server.ended;
  await world.dispose();
});

const areEntries = (row: object): row is Readonly<Record<string, EntryPoint>> => !('notYet' in row);
const { trigger, ...sources } = ENTRY_POINTS;
const ALL: readonly (readonly [string, EntryPoint])[] = [
  ...Object.entries(sources).flatMap(([family, row]) =>
    areEntries(row) ? Object.entries(row).map(([name, entry]) => [`${family}: ${name}`, entry] as const) : [],
  ),
  ...Object.entries(trigger).flatMap(([type, entries]) =>
    Object.entries(entries).map(([name, entry]) => [`${type}: ${name}`, entry] as const),
  ),
];

async function ended(id: string): Promise<Readonly<Record<string, unknown>>> {
  await vi.waitUntil(() => house.trail.job(id).status === 'completed' || house.trail.job(id).status === 'failed', {
    timeout: 30_000,
    interval: 50,
  });
  return house.trail.job(id);
}

async function submitted(entry: EntryPoint, name: Case): Promise<string> {
  const came = await entry.submit(house, name);
  if (came.kind === 'refused') throw new Error(`the entry point refuses ${name}: ${came.code}`);
  await ended(came.id);
  return came.id;
}

const REFERENCE = areEntries(sources.serve) ? (sources.serve['POST /run/:topology'] ?? expect.fail()) : expect.fail();
const references = new Map<Case, Promise<string>>();
function reference(name: Case): Promise<string> {
  const known = references.get(name) ?? submitted(REFERENCE, name);
  references.set(name, known);
  return known;
}

function whoOf(
  { by }: Differs,
  source: string,
): {
  readonly submitted_by: unknown;
  readonly submitted_assurance: unknown;
  readonly submitted_name: 'Anonymous' | null;
} {
  switch (by) {
    case 'trigger':
      return { submitted_by: source, submitted_assurance: 'system', submitted_name: null };
    case 'os-user':
      return { submitted_by: expect.stringMatching(/./), submitted_assurance: 'asserted', submitted_name: null };
    case 'caller':
      return { submitted_by: 'anonymous', submitted_assurance: 'asserted', submitted_name: 'Anonymous' };
  }
}

describe.each(ALL)('the entry point %s', (_name, entry) => {
  it.each((Object.keys(CASES) as Case[]).filter((name) => !CASES[name].isRefused))(
    'leaves the trail, the row and the usage of every other entry point: %s',
    async (name) => {
      const [id, like] = [await submitted(entry, name), await reference(name)];
      const { trail } = house;
      const [row, other] = [trail.job(id), trail.job(like)];
      const labels = entry.differs.hasContext === true ? { 'a2a.context_id': row.correlation_id } : {};
      expect({ ...pick(row, SAME), topology: String(row.topology).replace(/@1\.0\.0$/, '') }).toEqual({
        ...pick(other, SAME),
        labels: JSON.stringify(labels),
      });
      expect(row.status).toBe('completed');
      const source = entry.source(name);
      const conversation =
        entry.differs.hasCorrelation === true
          ? expect.stringMatching(/^[0-9a-f]{8}$/)
          : entry.differs.hasContext === true
            ? expect.stringMatching(/^[0-9a-f]{32}$/)
            : null;
      expect(pick(row, Object.keys(MAY_DIFFER))).toEqual({
        source,
        ...whoOf(entry.differs, source),
        correlation_id: conversation,
        recover: entry.differs.isCommand === true ? 'manual' : 'auto',
        timeout_ms: entry.differs.isCommand === true ? null : other.timeout_ms,
      });
      const events = trail.events(id);
      const labelled = trail.events(like).map((event) => ({ ...event, labels: JSON.stringify(labels) }));
      expect(neutral(events)).toEqual(neutral(labelled));
      expect(trail.correlationsOf(id)).toEqual([row.correlation_id]);
      expect(pick(started(events), OF_THE_ENTRY)).toEqual({
        trigger_source: source,
        submitted_by: row.submitted_by,
        client_name: row.submitted_name ?? undefined,
        assurance: row.submitted_assurance,
        submitted_from:
          entry.differs.isCommand === true ? { host: expect.any(String), os_user: expect.any(String) } : undefined,
      });
      expect(trail.steps(id)).toEqual(trail.steps(like));
      const fired = trail.firings(source.replace('trigger:', '')).filter((one) => JSON.stringify(one).includes(id));
      expect(fired).toHaveLength(entry.differs.isFiring === true ? 1 : 0);
    },
  );

  it('writes no job for an input that does not fit, and audits the refusal like every other entry point', async () => {
    const { trail } = house;
    const source = entry.source('fits-not');
    const [jobs, rejected] = [trail.jobCount(source), trail.rejections().length];
    expect(await entry.submit(house, 'fits-not')).toEqual({ kind: 'refused', code: 'input-invalid' });
    expect(trail.jobCount(source)).toBe(jobs);
    const own = trail.rejections().slice(rejected);
    expect(own.length).toBeGreaterThan(0);
    for (const one of own)
      expect(one).toEqual({
        topology_id: 'strict',
        errors: [{ pointer: '/path', message: expect.any(String) }],
        submitted_by: whoOf(entry.differs, source).submitted_by,
        ...(whoOf(entry.differs, source).submitted_name === null ? {} : { client_name: 'Anonymous' }),
      });
  });
});

describe('the table of entry points', () => {
  it('compares runs of two agents and a tool, and a checked input', async () => {
    const types = (name: Case) =>
      reference(name).then((id) => house.trail.events(id).map(({ type, agent_id }) => `${type} ${agent_id}`));
    expect(await types('plain')).toEqual([
      ...['run.started null', 'agent.started boss', 'model.called boss', 'skill.executed boss', 'model.called boss'],
      ...['agent.started helper', 'model.called helper', 'agent.completed helper', 'model.called boss'],
      ...['agent.completed boss', 'run.ended null'],
    ]);
    expect((await types('fits')).slice(0, 2)).toEqual(['run.started null', 'input.validated null']);
    const skill = house.trail.events(await reference('plain')).find(({ type }) => type === 'skill.executed');
    expect(JSON.parse(String(skill?.payload))).toMatchObject({ status: 'ok' });
    expect(house.trail.steps(await reference('plain')).filter(({ usage }) => usage !== null)).not.toEqual([]);
  });

  it('has an entry point or a reason for every source of a job, and an entry point for every type of trigger', () => {
    const manifest = JSON.parse(readFileSync(join(projectRoot, 'plugins/triggers/package.json'), 'utf8')) as {
      readonly kit: { readonly contributes: { readonly triggers: readonly { readonly name: string }[] } };
    };
    expect(Object.keys(trigger).sort()).toEqual(manifest.kit.contributes.triggers.map(({ name }) => name).sort());
    for (const row of Object.values(sources)) if (!areEntries(row)) expect(row.notYet).not.toBe('');
  });

  it('names every module that hands a run on', () => {
    const handsOn = /\b(?:serve\s*\.submit|runs\s*\.start|submitTarget|fireTargets)\(/;
    const roots = ['src/app', ...readdirSync(join(projectRoot, 'plugins')).map((name) => `plugins/${name}/src`)];
    const modules = roots
      .flatMap((root) => readdirSync(join(projectRoot, root), { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((file) => handsOn.test(readFileSync(file, 'utf8')))
      .map((file) => relative(projectRoot, file));
    expect(modules.sort()).toEqual([...new Set(ALL.flatMap(([, entry]) => entry.modules))].sort());
  });

  it('knows every column of a job', () => {
    expect([...SAME, ...Object.keys(MAY_DIFFER), ...OWN].sort()).toEqual([...house.trail.columns('jobs')].sort());
  });
});
