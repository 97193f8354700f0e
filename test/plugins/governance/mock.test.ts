import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contribution } from '../../../plugins/governance/src/mock.js';
import { isKitError } from '../../../src/domain/errors.js';
import type { JsonObject } from '../../../src/domain/json.js';
import type { Decision, PolicyRequest } from '../../../src/domain/ports/governance.js';
import { createTestContext } from '../../../src/domain/testing.js';
import { checkManifest } from '../../../src/host/manifest.js';
import { checkSchemaDocument, validateJson } from '../../../src/lib/json-schema.js';

const PLUGIN = new URL('../../../plugins/governance/', import.meta.url);
const readJson = async (path: string): Promise<JsonObject> => JSON.parse(await readFile(new URL(path, PLUGIN), 'utf8'));
const request = (part: Partial<PolicyRequest> = {}): PolicyRequest => ({
  agentId: 'writer',
  action: 'agent:execute',
  scopesRequired: [],
  context: {},
  ...part,
});

async function evaluate(config: JsonObject, asked: PolicyRequest): Promise<Decision> {
  const provider = await contribution.create(config, createTestContext());
  return provider.evaluate(asked, new AbortController().signal);
}

describe('governance provider mock', () => {
  it('allows what nothing speaks against', async () => {
    expect(await evaluate({}, request())).toEqual({ verdict: 'allow' });
    expect(
      await evaluate({}, request({ scopesRequired: ['repo:read'], context: { base_scope: ['repo:read', 'x:y'] } })),
    ).toEqual({
      verdict: 'allow',
    });
  });

  it('denies a required scope that the agent does not hold', async () => {
    expect(
      await evaluate(
        {},
        request({ scopesRequired: ['repo:read', 'repo:write'], context: { base_scope: ['repo:read'] } }),
      ),
    ).toMatchObject({
      verdict: 'deny',
      needs: ['repo:write'],
    });
  });

  it('denies and asks by pattern, and denial wins', async () => {
    const config = { deny: ['command:call:*:delete-*'], ask: ['command:call:*'] };
    expect(await evaluate(config, request({ action: 'command:call:files:delete-all' }))).toMatchObject({
      verdict: 'deny',
    });
    expect(await evaluate(config, request({ action: 'command:call:files:list' }))).toMatchObject({ verdict: 'ask' });
    expect(await evaluate(config, request({ action: 'mcp:call:x:y' }))).toEqual({ verdict: 'allow' });
  });

  it('matches patterns as a regular expression would', async () => {
    const piece = fc.stringMatching(/^[ab:*]{0,6}$/).filter((pattern) => pattern !== '');
    await fc.assert(
      fc.asyncProperty(piece, fc.stringMatching(/^[ab:]{0,8}$/), async (pattern, action) => {
        const expected = new RegExp(`^${pattern.replaceAll('*', '.*')}$`).test(action);
        expect((await evaluate({ deny: [pattern] }, request({ action }))).verdict).toBe(expected ? 'deny' : 'allow');
      }),
      { numRuns: 500 },
    );
  });

  it.each([[{ denied: ['x'] }], [{ deny: 'agent:*' }], [{ ask: [''] }], [{ deny: [1] }]])(
    'refuses the configuration %j, by schema and when it is created',
    async (config) => {
      expect(await validateJson(await readJson('schemas/mock.json'), config)).not.toEqual([]);
      const error = await evaluate(config, request()).then(
        () => null,
        (thrown: unknown) => thrown,
      );
      expect(isKitError(error) && error.code).toBe('KIT_PLUGIN_CONFIG_INVALID');
    },
  );

  it('has a schema that is one and a manifest that the host accepts', async () => {
    expect(await checkSchemaDocument(await readJson('schemas/mock.json'))).toEqual([]);
    const { kit } = await readJson('package.json');
    expect(checkManifest(kit)).toMatchObject({ ok: true });
  });
});
