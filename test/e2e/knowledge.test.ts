import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pdfOf } from '../support/knowledge-samples.js';
import { type ModelServer, startModelServer } from '../support/model-server.js';
import { localProvider } from './workspaces.js';
import { eventsOf, lastOf, makeWorld, type World } from './world.js';

const QUESTION = 'when are refunds paid';
/** Asks its tool once, then answers with what it was told. */
const model = () =>
  startModelServer(({ body }) => {
    const messages: readonly { readonly role: string; readonly content?: unknown }[] = body.messages;
    const results = messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
    return results.length === 0
      ? { do: 'answer', calls: [{ id: 'call_0', name: 'search-handbook', arguments: { query: QUESTION, limit: 2 } }] }
      : { do: 'answer', text: `found ${JSON.stringify(results)}` };
  });

const FILES = {
  'workspace.yaml': 'apiVersion: kit/v1\nkind: Workspace\nmetadata: { id: w, name: W }\nmemory: { enabled: false }\n',
  'providers/local.yaml': localProvider,
  'topologies/help.yaml': `apiVersion: kit/v1
kind: Topology
metadata: { name: help, version: 1.0.0 }
agents:
  root: { id: root, role: root, model: { provider: local, name: m1 }, skills: [search-handbook] }
artifacts:
  knowledge_bases: [{ id: handbook, path: docs }]
`,
  'docs/billing.md':
    '# Billing\n\n## Refunds\n\nRefunds are paid within 30 days.\n\n## Invoices\n\nInvoices leave on Monday.\n',
  'docs/terms.pdf': pdfOf(['Terms', 'A refund is never paid in cash.']),
};

let world: World;
let server: ModelServer;
beforeAll(async () => {
  [world, server] = await Promise.all([makeWorld(), model()]);
});
afterAll(async () => {
  await server.close();
  await world.dispose();
});

const env = (): NodeJS.ProcessEnv => ({ MODEL_URL: server.url, LOCAL_KEY: 'key-of-the-test' });
const kit = (...argv: readonly string[]) => world.here(argv, { env: env() });
/** What the agent was told, from the answer of the run. */
const reported = (result: Awaited<ReturnType<typeof kit>>): string => String(lastOf(result).output);

describe('kit over a workspace with a knowledge base', { timeout: 60_000 }, () => {
  it('runs an agent that cites Markdown and PDF, and finds what changed the next time', async () => {
    const dir = world.files('cites', FILES);

    const first = await kit('run', dir, 'help', '--input', 'refunds?', '--json');
    writeFileSync(join(dir, 'docs/billing.md'), '# Billing\n\nRefunds are paid within 60 days.\n');
    const second = await kit('run', dir, 'help', '--input', 'refunds?', '--json');

    expect([first.code, second.code]).toEqual([0, 0]);
    expect(reported(first)).toContain('Billing > Refunds');
    expect(reported(first)).toContain('within 30 days');
    expect(reported(first)).toMatch(/docs\/terms\.pdf.*page 2/s);
    expect(reported(second)).toContain('within 60 days');
    expect(reported(second)).not.toContain('within 30 days');
    const executed = eventsOf(first).filter(({ type }) => type === 'skill.executed');
    expect(executed.map(({ payload }) => payload)).toMatchObject([{ tool: 'search-handbook', status: 'ok' }]);
  });

  it('validates documents, and refuses a run over one that cannot be searched with exit 2', async () => {
    const dir = world.files('refuses', {
      ...FILES,
      'docs/latin.md': new Uint8Array([0x6e, 0xe4]),
      'docs/plan.pdf': 'no PDF',
    });
    symlinkSync(join(world.base, 'cites/docs/billing.md'), join(dir, 'docs/elsewhere.md'));

    const validated = await kit('validate', dir, '--format', 'json');
    const refused = await kit('run', dir, 'help', '--input', 'refunds?', '--json');

    expect(validated.code).toBe(1);
    for (const [code, file] of [
      ['knowledge.not-text', 'docs/latin.md'],
      ['knowledge.unreadable', 'docs/plan.pdf'],
      ['knowledge.outside', 'docs/elsewhere.md'],
    ] as const)
      expect(validated.stdout).toMatch(new RegExp(`${code}[^}]*${file}`, 's'));
    expect(refused.code).toBe(2);
    expect(lastOf(refused)).toMatchObject({ type: 'error', code: 'KIT_KNOWLEDGE_INVALID' });
    expect(refused.stdout).toContain('docs/latin.md');
    expect(
      (
        await kit(
          'validate',
          world.files('refuses', { 'docs/latin.md': 'now UTF-8 ä' }),
          '--explain',
          'knowledge.not-text',
        )
      ).stdout,
    ).toContain('UTF-8');
  });

  it('shows the skill in a dry run, and the base in kit system and kit validate --tree', async () => {
    const dir = world.files('dry', FILES);

    const dry = await kit('run', dir, 'help', '--input', 'refunds?', '--dry-run');

    expect(dry.code).toBe(0);
    expect(dry.stdout).toContain('search-handbook');
    const system = await kit('system', dir, '--json');
    expect(lastOf(system)).toMatchObject({ knowledge_bases: [{ id: 'handbook', path: 'docs', include: [] }] });
    expect((await kit('validate', dir, '--tree', '--json')).stdout).toContain('"validate.knowledge"');
  });
});
