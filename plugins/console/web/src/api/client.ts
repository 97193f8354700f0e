/** An answer that is not a success, in words for people. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly hint: string;

  constructor(status: number, problem: { readonly code: string; readonly detail: string; readonly hint: string }) {
    super(problem.detail);
    this.status = status;
    this.code = problem.code;
    this.hint = problem.hint;
  }
}

/** In the words of kit: those of a browser name neither the server nor what to do. */
export const UNANSWERED = 'The server does not answer. Is it running?';

/** Nothing was answered: nobody knows whether what was sent has arrived. */
class Unanswered extends Error {
  readonly hint: string;

  constructor(method: string, cause: unknown) {
    super(UNANSWERED, { cause });
    this.hint = method === 'GET' ? '' : 'What you sent may have arrived: look before you send it again.';
  }
}

/** What a browser tells of a network that fails. An abort stays what it is. */
const unansweredOf = (error: unknown, { method = 'GET' }: RequestInit): unknown =>
  error instanceof TypeError ? new Unanswered(method, error) : error;

export interface Client {
  /** Throws ApiError; the answer is what the API says it is. */
  readonly get: <T>(path: string, signal?: AbortSignal) => Promise<T>;
  readonly post: <T>(path: string, body?: object) => Promise<T>;
  /** The answer as it comes: bytes of an artifact, a stream. */
  readonly open: (path: string, init?: RequestInit) => Promise<Response>;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/**
 * Problem details (RFC 9457) where the server sent them; whatever else answered is told by its
 * status.
 */
async function errorOf(answer: Response): Promise<ApiError> {
  const problem: unknown = await answer.json().catch(() => ({}));
  const field = (name: string): string => textOf(Reflect.get(Object(problem), name));
  return new ApiError(answer.status, {
    code: field('code'),
    detail: field('detail') || field('title') || `the server answered ${answer.status}`,
    hint: field('hint'),
  });
}

/**
 * `token`: null where the server asks for none. It goes to this origin alone, in a header. `renew`:
 * asked once where the server takes the token no more (401), however many requests wait for it;
 * each is sent again with the new token, as what was refused had no effect. Null: there is none.
 */
export function createClient(token: string | null, renew?: () => Promise<string | null>): Client {
  let current = token;
  let renewing: Promise<string | null> | null = null;
  const send = (path: string, init: RequestInit, by: string | null): Promise<Response> =>
    fetch(path, {
      ...init,
      redirect: 'error',
      headers: { ...init.headers, ...(by === null ? {} : { authorization: `Bearer ${by}` }) },
    }).catch((error: unknown) => {
      throw unansweredOf(error, init);
    });
  /** Null: there is no other. The one of before may be good again. */
  const after = async (old: string): Promise<string | null> => {
    if (current !== old) return current;
    if (renew === undefined) return null;
    renewing ??= renew();
    const fresh = await renewing;
    renewing = null;
    current = fresh ?? current;
    return fresh;
  };
  const open: Client['open'] = async (path, init = {}) => {
    const used = current;
    let answer = await send(path, init, used);
    if (answer.status === 401 && used !== null) {
      const fresh = await after(used);
      if (fresh !== null) answer = await send(path, init, fresh);
    }
    if (!answer.ok) throw await errorOf(answer);
    return answer;
  };
  return {
    open,
    get: async <T>(path: string, signal?: AbortSignal) =>
      (
        await open(path, { headers: { accept: 'application/json' }, ...(signal === undefined ? {} : { signal }) })
      ).json() as Promise<T>,
    post: async <T>(path: string, body?: object) =>
      (
        await open(path, {
          method: 'POST',
          headers: {
            accept: 'application/json',
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        })
      ).json() as Promise<T>,
  };
}
