import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ReportedLimit } from '../../../../src/domain/limiter.js';
import { type ProviderServer, startProviderServer } from '../../../support/components/provider-servers/server.js';
import { callOptions, familyProvider, NOW_MS, request } from '../helpers.js';
import { bundledConfig, contributionOf, FAMILIES, KEY, KEY_VARIABLE } from './family-cases.js';

const TOLD = [
  {
    of: 'Anthropic',
    headers: {
      'anthropic-ratelimit-requests-limit': '50',
      'anthropic-ratelimit-requests-remaining': '49',
      'anthropic-ratelimit-requests-reset': new Date(NOW_MS + 1_200).toISOString(),
    },
    expected: { limit: 50, remaining: 49, resetMs: 1_200 },
  },
  {
    of: 'OpenAI',
    headers: {
      'x-ratelimit-limit-requests': '60',
      'x-ratelimit-remaining-requests': '0',
      'x-ratelimit-reset-requests': '1m2.5s',
    },
    expected: { limit: 60, remaining: 0, resetMs: 62_500 },
  },
  {
    of: 'servers that tell plain seconds',
    headers: {
      'x-ratelimit-limit-requests': '60',
      'x-ratelimit-remaining-requests': '59',
      'x-ratelimit-reset-requests': '2',
    },
    expected: { limit: 60, remaining: 59, resetMs: 2_000 },
  },
];

const UNREADABLE = [
  { 'x-ratelimit-limit-requests': '60' },
  {
    'x-ratelimit-limit-requests': '6e1',
    'x-ratelimit-remaining-requests': '1',
    'x-ratelimit-reset-requests': '1s',
  },
  {
    'x-ratelimit-limit-requests': '60',
    'x-ratelimit-remaining-requests': '1',
    'x-ratelimit-reset-requests': 'soon',
  },
  {
    'x-ratelimit-limit-requests': '60',
    'x-ratelimit-remaining-requests': '1',
    'x-ratelimit-reset-requests': '9'.repeat(60),
  },
];

describe.each(FAMILIES)('$id', ({ id, protocol, model }) => {
  let server: ProviderServer;
  beforeEach(async () => {
    server = await startProviderServer(protocol);
  });
  afterEach(() => server.close());

  const provider = (more = {}, url = server.url) =>
    familyProvider(contributionOf(id), { ...bundledConfig(id, url), ...more }, { env: { [KEY_VARIABLE]: KEY } });
  const reportedBy = async (headers: Readonly<Record<string, string>>): Promise<readonly ReportedLimit[]> => {
    const heard: ReportedLimit[] = [];
    server.script({ do: 'status', status: 429, headers });
    await (await provider()).generate(request({ model }), callOptions({ onLimit: (reported) => heard.push(reported) }));
    return heard;
  };

  test.each(TOLD)('what an answer tells of the limit is passed on, as $of say it', async ({ headers, expected }) => {
    expect(await reportedBy(headers)).toEqual([expected]);
  });

  test.each(UNREADABLE)('what cannot be read tells nothing: %o', async (headers) => {
    expect(await reportedBy(headers)).toEqual([]);
  });

  test('shares its limits with whoever asks the same address with the same key', async () => {
    const one = (await provider()).limits;
    expect(one).toEqual({ account: expect.any(String), inFlight: null, requestsPerMinute: null });
    const limits = { in_flight: 3, requests_per_minute: 50 };
    expect((await provider({ limits })).limits).toEqual({ account: one?.account, inFlight: 3, requestsPerMinute: 50 });
    expect((await provider({}, 'http://127.0.0.1:9/v1')).limits?.account).not.toBe(one?.account);
    expect((await provider({ api_key_env: 'ANOTHER_KEY' })).limits?.account).not.toBe(one?.account);
  });
});
