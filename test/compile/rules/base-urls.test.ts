import { describe, expect, it } from 'vitest';
import type { Sources } from '../../support/compile.js';
import { compileSources } from '../../support/compile.js';
import { MAIN, workspace } from './artifact-text.js';

const provider = (url: string): Sources => ({
  'topologies/t.yaml': MAIN,
  'workspace.yaml': workspace(''),
  'providers/p.yaml': `apiVersion: kit/v1
kind: ModelProvider
metadata: { id: p, name: P, description: A provider of this test. }
spec: { extends: openai-compatible, base_url: "${url}" }
provenance: { authored_by: human, version: 1.0.0 }
`,
});

describe('base_url of a provider file', () => {
  it.each([
    ['https://me:s3cr3t@example.org/v1', 'a user or password'],
    ['https://example.org/v1?apikey=x', 'a query'],
    ['https://example.org/v1#x', 'a fragment'],
  ])('%s is refused, without its text in the message', async (url, flaw) => {
    const { diagnostics } = await compileSources(provider(url));
    const found = diagnostics.filter(({ code }) => code === 'provider.config-invalid');

    expect(found.map(({ message }) => message)).toEqual([expect.stringContaining(flaw)]);
    expect(JSON.stringify(found)).not.toContain('s3cr3t');
  });

  it('an address alone is taken', async () => {
    const { diagnostics } = await compileSources(provider('https://example.org/v1'));

    expect(diagnostics.filter(({ code }) => code === 'provider.config-invalid')).toEqual([]);
  });
});
