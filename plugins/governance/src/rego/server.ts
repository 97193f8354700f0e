import { createHash } from 'node:crypto';
import { type Decision, readBoundedJson, systemCode } from '@kit-run/kit/plugin';
import { deny, type PolicySet } from '../policy-set.js';
import { regoVerdict } from './verdict.js';

/**
 * Decisions by a running OPA: `POST <url>` with `{"input": ...}`, answered by `{"result": ...}`.
 * The URL is that of the document to query (`http://127.0.0.1:8181/v1/data/kit/authz/allow`). A
 * server that is away, fails or answers something else has allowed nothing.
 * https://www.openpolicyagent.org/docs/rest-api#get-a-document-with-input
 */
export function opaServer(url: string, fetch: typeof globalThis.fetch): PolicySet {
  return {
    decide: async (facts, signal): Promise<Decision> => {
      try {
        const response = await fetch(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ input: facts }),
          redirect: 'error',
          signal,
        });
        if (!response.ok) {
          await response.body?.cancel();
          return deny(`the OPA server answered with status ${response.status}`);
        }
        const answer = await readBoundedJson(response, MAX_ANSWER_BYTES);
        if (typeof answer !== 'object' || answer === null || !('result' in answer))
          return deny('the OPA server knows no such document, or it is undefined');
        return regoVerdict(answer.result);
      } catch (error) {
        const code = systemCode(error);
        return deny(
          code === null
            ? 'the OPA server gave no answer that could be read'
            : `the OPA server cannot be reached (${code})`,
        );
      }
    },
  };
}

/** A decision is a few words: what is larger is none, and nobody waits for its end. */
const MAX_ANSWER_BYTES = 1024 * 1024;

/** The policies are the server's; what is recorded is which server was asked. */
export const digestOfUrl = (url: string): string => createHash('sha256').update(url).digest('hex');
