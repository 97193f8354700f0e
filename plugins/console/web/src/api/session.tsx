import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react';
import { ApiError, type Client, createClient, UNANSWERED } from './client.js';
import { refusedWords } from './refused-words.js';
import { type AuthInfo, comeBack, handBack, type Issuer, issuerOf } from './sign-in.js';
import type { Who } from './types.js';

/** How the server asks who looks. */
export interface Asks {
  /** Name of its auth provider. */
  readonly mode: string;
  /** Null: nobody signs in at an issuer here. */
  readonly issuer: Issuer | null;
}

/** The server takes the key or token no more; requests wait for another one. */
export interface Ended {
  readonly asks: Asks;
  /** Why the last try did not do. */
  readonly refusal: string | null;
  readonly signIn: (key: string) => void;
}

/** Who looks, and how it asks. */
export interface Session {
  readonly client: Client;
  readonly who: Who;
  /** Forgets the key. Nothing to forget where the server asks for none. */
  readonly signOut: (() => void) | null;
  /** Null: the sign-in holds, as far as is known. */
  readonly ended: Ended | null;
}

export type SessionState =
  | { readonly kind: 'loading' }
  /** The end of a sign-in for the page beside this one. */
  | { readonly kind: 'handed-back' }
  | { readonly kind: 'unreachable'; readonly message: string }
  | { readonly kind: 'signed-out'; readonly asks: Asks; readonly refusal: string | null }
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

/** Whether whoever looks may start, stop, say and decide things; who may not is told so. */
export const useMayRun = (): boolean =>
  useSession().who.scopes.some((scope) => scope === '*' || scope === 'serve:run' || scope === 'serve:admin');

/** Whether whoever looks may change what the server does for everybody. */
export const useMayAdmin = (): boolean =>
  useSession().who.scopes.some((scope) => scope === '*' || scope === 'serve:admin');

const messageOf = (error: unknown): string => (error instanceof ApiError ? error.message : UNANSWERED);

/** Why a key or token did not do. */
const refusedOf = ({ mode, issuer }: Asks, error: unknown): string =>
  error instanceof ApiError && error.status === 401
    ? refusedWords({ why: error.message, mode, hasIssuer: issuer !== null })
    : messageOf(error);

/**
 * The key lives in the memory of the page: not in a cookie, not in storage. A reload asks for it
 * again.
 */
export function useSignIn(): { readonly state: SessionState; readonly signIn: (key: string) => void } {
  const [state, setState] = useState<SessionState>({ kind: 'loading' });

  const enter = useCallback(async (asks: Asks, token: string | null) => {
    try {
      const who = await createClient(token).get<Who>('/whoami');
      let giveUp: () => void = () => undefined;
      const signOut = (): void => {
        giveUp();
        setState({ kind: 'signed-out', asks, refusal: null });
      };
      const renew = (): Promise<string | null> =>
        new Promise((resolve) => {
          const show = (ended: Ended | null): void =>
            setState((last) => (last.kind === 'signed-in' ? { ...last, session: { ...last.session, ended } } : last));
          const end = (fresh: string | null): void => {
            show(null);
            resolve(fresh);
          };
          const take = async (fresh: string): Promise<void> => {
            try {
              const now = await createClient(fresh).get<Who>('/whoami');
              if (now.client_id === who.client_id) return end(fresh);
              // Somebody else: nothing of the one before is sent in another name.
              await enter(asks, fresh);
              resolve(null);
            } catch (error) {
              ask(refusedOf(asks, error));
            }
          };
          const ask = (refusal: string | null): void => show({ asks, refusal, signIn: (key) => void take(key) });
          giveUp = () => resolve(null);
          ask(null);
        });
      const client = token === null ? createClient(null) : createClient(token, renew);
      setState({
        kind: 'signed-in',
        session: { client, who, signOut: token === null ? null : signOut, ended: null },
      });
    } catch (error) {
      if (error instanceof ApiError && error.status === 401)
        setState({ kind: 'signed-out', asks, refusal: token === null ? null : refusedOf(asks, error) });
      else setState({ kind: 'unreachable', message: messageOf(error) });
    }
  }, []);

  useEffect(() => {
    const begin = async (): Promise<void> => {
      if (handBack()) return setState({ kind: 'handed-back' });
      const info = await createClient(null).get<AuthInfo>('/auth-info');
      const asks = { mode: info.mode, issuer: issuerOf(info) };
      if (info.mode === 'none') return enter(asks, null);
      const back = await comeBack().catch((error: unknown) => ({ refusal: String((error as Error).message) }));
      if (typeof back === 'string') return enter(asks, back);
      setState({ kind: 'signed-out', asks, refusal: back?.refusal ?? null });
    };
    begin().catch((error: unknown) => setState({ kind: 'unreachable', message: messageOf(error) }));
  }, [enter]);

  const asks = state.kind === 'signed-out' ? state.asks : null;
  return useMemo(
    () => ({
      state,
      signIn: (key: string) => {
        if (asks !== null) void enter(asks, key);
      },
    }),
    [state, asks, enter],
  );
}
