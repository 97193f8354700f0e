import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../../../src/domain/json.js';
import { REDACTED } from '../../../src/govern/redaction/erase.js';
import {
  clampAudit,
  compileRules,
  DEFAULT_AUDIT,
  type RedactionRules,
  stricterAudit,
} from '../../../src/govern/redaction/policy.js';
import { maskPayload, redactCall, redactPayload } from '../../../src/govern/redaction/redact-event.js';
import { type JsonPaths, loadJsonPaths } from '../../../src/lib/jsonpath.js';
import { Masker } from '../../../src/lib/masker.js';

let jsonPaths: JsonPaths;
beforeAll(async () => {
  jsonPaths = await loadJsonPaths();
});

const FULL = { logInputs: 'full', logOutputs: 'full', redact: [] } as const;
const rules = (redact: readonly string[], detail: 'full' | 'summary' | 'none' = 'full'): RedactionRules =>
  compileRules({ logInputs: detail, logOutputs: detail, redact }, jsonPaths);

/** Text that no other part of a test event contains by chance. */
const secretText = fc.string({ minLength: 4, maxLength: 30, unit: 'grapheme-ascii' }).map((text) => `§${text}§`);

describe('redactCall', () => {
  it('redacts nested members and array items', () => {
    const call = {
      inputs: { user: { password: 'hunter22', name: 'ann' } },
      outputs: { rows: [{ card: 4111_1111_1111_1111 }, { card: 5500_0000_0000_0004 }] },
    };
    expect(redactCall(call, rules(['$.user.password', '$.rows[*].card']), new Masker())).toEqual({
      inputs: { user: { password: REDACTED, name: 'ann' } },
      outputs: { rows: [{ card: REDACTED }, { card: REDACTED }] },
    });
  });

  it('redacts inside a result that is JSON as text', () => {
    const shown = redactCall(
      { inputs: {}, outputs: '{"token": "abcdef", "ok": true}' },
      rules(['$.token']),
      new Masker(),
    );
    expect(shown.outputs).toBe('{"token":"[REDACTED]","ok":true}');
  });

  it('shows nothing of a result that is nested too deep to be searched', () => {
    const outputs = `${'{"token":"abcdef","a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;

    expect(redactCall({ inputs: {}, outputs }, rules(['$.token']), new Masker())).toEqual({
      inputs: {},
      outputs: REDACTED,
    });
  });

  it('redacts before it shortens', () => {
    const shown = redactCall(
      { inputs: { key: 'swordfish' }, outputs: `${'x'.repeat(198)}swordfish` },
      rules(['$.key'], 'summary'),
      new Masker(),
    );
    expect(shown.inputs).toEqual({ summary: '{"key":"[REDACTED]"}', type: 'object', length: 20 });
    expect(JSON.stringify(shown)).not.toContain('sw');
  });

  it('masks credentials first, also where no path leads', () => {
    const shown = redactCall(
      { inputs: { url: 'https://x/?k=tok-1234567' }, outputs: 'tok-1234567' },
      rules([]),
      new Masker(['tok-1234567']),
    );
    expect(shown).toEqual({ inputs: { url: 'https://x/?k=[MASKED]' }, outputs: '[MASKED]' });
  });

  it('shortens to 200 characters with a note of type and length', () => {
    const shown = redactCall(
      { inputs: ['a'.repeat(500)], outputs: null },
      compileRules(DEFAULT_AUDIT, jsonPaths),
      new Masker(),
    );
    expect(shown.inputs).toEqual({ summary: `["${'a'.repeat(198)}`, type: 'array', length: 504 });
    expect(shown.outputs).toEqual({ summary: 'null', type: 'null', length: 4 });
  });

  it('leaves fields out under none', () => {
    expect(redactCall({ inputs: { a: 1 }, outputs: 'x' }, rules([], 'none'), new Masker())).toEqual({});
  });

  it('logs nothing of a call when a path cannot be read', () => {
    const broken = rules(['$.ok', 'not a path']);
    expect(broken.broken).toEqual(['not a path']);
    expect(redactCall({ inputs: { a: 'secret' }, outputs: 'secret' }, broken, new Masker())).toEqual({});
  });

  it('never lets a redacted value survive, wherever it stands', () => {
    const place = fc.constantFrom<(secret: string) => Json>(
      (secret) => secret,
      (secret) => `before ${secret} after`,
      (secret) => [{ deep: [secret] }],
      (secret) => ({ [secret]: 1 }),
      (secret) => JSON.stringify({ echoed: secret }),
      (secret) => `https://x.test/?q=${encodeURIComponent(secret)}`,
    );
    const detail = fc.constantFrom('full', 'summary', 'none');
    fc.assert(
      fc.property(secretText, place, place, detail, (secret, inInputs, inOutputs, level) => {
        const call = { inputs: { hidden: secret, other: inInputs(secret) }, outputs: inOutputs(secret) };
        const payload = {
          tool: 't',
          status: 'ok',
          reason: `failed for ${secret}`,
          policy_decision: 'allow',
          policy_reason: null,
          effects: 'read',
          duration_ms: 1,
          ...call,
        };
        for (const shown of [
          redactCall(call, rules(['$.hidden'], level), new Masker()),
          redactPayload('skill.executed', payload, rules(['$.hidden'], level), new Masker()),
        ]) {
          const text = JSON.stringify(shown);
          expect(text).not.toContain(secret);
          expect(text).not.toContain(JSON.stringify(secret).slice(1, -1));
          expect(text).not.toContain(encodeURIComponent(secret));
        }
      }),
      { numRuns: 300 },
    );
  });

  it('leaves everything else as it was', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const json = JSON.parse(JSON.stringify(value)) as Json;
        expect(redactCall({ inputs: json, outputs: json }, rules(['$.absent§.path']), new Masker())).toEqual({
          inputs: json,
          outputs: json,
        });
      }),
    );
  });
});

describe('redactPayload', () => {
  const payload = {
    tool: 'fetch',
    status: 'failed',
    reason: 'key abcdefgh is wrong',
    policy_decision: 'allow',
    policy_reason: null,
    effects: 'read',
    duration_ms: 12,
    inputs: { k: 'abcdefgh' },
    outputs: 'none',
  };

  it('takes paths from the payload as well and keeps what makes the event', () => {
    expect(redactPayload('skill.executed', payload, rules(['$.inputs.k']), new Masker())).toEqual({
      ...payload,
      reason: 'key [REDACTED] is wrong',
      inputs: { k: REDACTED },
    });
  });

  it('keeps the shape of an event under a path that selects everything', () => {
    expect(redactPayload('skill.executed', payload, rules(['$', '$..*']), new Masker())).toEqual({
      ...payload,
      reason: REDACTED,
      policy_reason: REDACTED,
      inputs: REDACTED,
      outputs: REDACTED,
    });
  });

  it('does not rename a field whose name equals a redacted value', () => {
    const shown = redactPayload(
      'skill.executed',
      { ...payload, inputs: { k: 'outputs' } },
      rules(['$.k']),
      new Masker(),
    );
    expect(Object.keys(shown).sort()).toEqual(Object.keys(payload).sort());
  });

  it('masks a credential outside the content fields but no closed word', () => {
    const shown = redactPayload(
      'executor.result',
      {
        kind: 'harness',
        ref: 'tool-abcd1234',
        status: 'success',
        exit_metadata: { returncode: 0, signal: null, stderr_tail: 'abcd1234' },
      },
      rules([]),
      new Masker(['abcd1234', 'success']),
    );
    expect(shown).toMatchObject({
      ref: 'tool-[MASKED]',
      status: 'success',
      exit_metadata: { returncode: 0, stderr_tail: '[MASKED]' },
    });
  });
});

describe('maskPayload', () => {
  it('keeps the keys by which events find each other, whatever the secret is', () => {
    const masker = new Masker(['root', 'reason']);
    const payload = {
      role: 'root',
      activation: 'root/d0',
      parent_key: 'root',
      status: 'failed',
      reason: 'root cause: root',
      result_length: 1,
    };
    expect(maskPayload(payload, (value) => masker.maskJson(value))).toEqual({
      ...payload,
      reason: '[MASKED] cause: [MASKED]',
    });
  });
});

describe('audit policy', () => {
  it('is bounded by the level', () => {
    expect(clampAudit(FULL, 'minimal')).toMatchObject({ logInputs: 'none', logOutputs: 'none' });
    expect(clampAudit(FULL, 'standard')).toMatchObject({ logInputs: 'summary', logOutputs: 'summary' });
    expect(clampAudit(FULL, 'detailed')).toEqual(FULL);
    expect(clampAudit({ ...FULL, logOutputs: 'none' }, 'standard')).toMatchObject({
      logInputs: 'summary',
      logOutputs: 'none',
    });
  });

  it('joins two policies to the stricter one', () => {
    expect(
      stricterAudit({ ...FULL, redact: ['$.a'] }, { logInputs: 'summary', logOutputs: 'full', redact: ['$.b', '$.a'] }),
    ).toEqual({
      logInputs: 'summary',
      logOutputs: 'full',
      redact: ['$.a', '$.b'],
    });
  });
});
