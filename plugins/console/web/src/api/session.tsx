import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react';
import { ApiError, type Client, createClient } from './client.js';
import type { AuthInfo, Who } from './types.js';

/** Who looks, and how it asks. */
export interface Session {
  readonly client: Client;
  readonly who: Who;
  /** Forgets the key. Nothing to forget where the server asks for none. */
  readonly signOut: (() => void) | null;
}

export type SessionState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'unreachable'; readonly message: string }
  | { readonly kind: 'signed-out'; readonly mode: string; readonly refusal: string | null }
  | { readonly kind: 'signed-in'; readonly session: Session };

const Context = createContext<Session | null>(null);

export function SessionProvider({ session, children }: { readonly session: Session; readonly children: ReactNode }) {
  return <Context.Provider value={session}>{children}</Context.Provider>;
}

export function useSession(): Session {
  const session = useContext(Context);
  if (session === null) throw new Error('no session');
  return session;
}

const messageOf = (error: unknown): string =>
  error instanceof ApiError ? error.message : 'The server does not answer. Is it running?';

/**
 * The key lives in the memory of the page: not in a cookie, not in storage. A reload asks for it
 * again.
 */
export function useSignIn(): { readonly state: SessionState; readonly signIn: (key: string) => void } {
  const [state, setState] = useState<SessionState>({ kind: 'loading' });

  const enter = useCallback(async (mode: string, token: string | null) => {
    const client = createClient(token);
    try {
      const who = await client.get<Who>('/whoami');
      const signOut = token === null ? null : () => setState({ kind: 'signed-out', mode, refusal: null });
      setState({ kind: 'signed-in', session: { client, who, signOut } });
    } catch (error) {
      if (error instanceof ApiError && error.status === 401)
        setState({ kind: 'signed-out', mode, refusal: token === null ? null : error.message });
      else setState({ kind: 'unreachable', message: messageOf(error) });
    }
  }, []);

  useEffect(() => {
    createClient(null)
      .get<AuthInfo>('/auth-info')
      .then(({ mode }) => (mode === 'none' ? enter(mode, null) : setState({ kind: 'signed-out', mode, refusal: null })))
      .catch((error: unknown) => setState({ kind: 'unreachable', message: messageOf(error) }));
  }, [enter]);

  const mode = state.kind === 'signed-out' ? state.mode : '';
  return useMemo(() => ({ state, signIn: (key: string) => void enter(mode, key) }), [state, mode, enter]);
}
