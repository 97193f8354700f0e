import { type FormEvent, useRef, useState } from 'react';
import { secretOf } from '../api/refused-words.js';
import type { Asks, Ended } from '../api/session.js';
import { type Issuer, leave, signInBeside } from '../api/sign-in.js';

/** At the issuer of the server where it names one, else with what was handed out. */
export function SignIn({
  asks: { mode, issuer },
  refusal,
  signIn,
}: {
  readonly asks: Asks;
  readonly refusal: string | null;
  readonly signIn: (key: string) => void;
}) {
  const [isPasting, setPasting] = useState(issuer === null);
  return (
    <main className="sign-in">
      <h1>kit</h1>
      {issuer !== null && <AtIssuer issuer={issuer} />}
      {isPasting ? (
        <Paste what={whatOf(mode)} isAlone signIn={signIn} />
      ) : (
        <button type="button" onClick={() => setPasting(true)}>
          Paste a token
        </button>
      )}
      {refusal !== null && (
        <p className="problem" role="alert">
          {refusal}
        </p>
      )}
      <p className="quiet">It stays in this page and is gone when you close or reload it.</p>
    </main>
  );
}

function AtIssuer({ issuer }: { readonly issuer: Issuer }) {
  const [state, setState] = useState<'here' | 'going' | 'stuck'>('here');
  const go = (): void => {
    setState('going');
    leave(issuer).catch(() => setState('stuck'));
  };
  return (
    <>
      {/* biome-ignore lint/a11y/noAutofocus: the page holds nothing else. */}
      <button type="button" className="primary" autoFocus disabled={state === 'going'} onClick={go}>
        Sign in at {issuer.name}
      </button>
      {state === 'stuck' && (
        <p className="problem" role="alert">
          {isSecureContext
            ? 'The browser keeps nothing for this page, which signing in needs.'
            : 'Signing in needs https: open this page at its https address.'}
        </p>
      )}
    </>
  );
}

const whatOf = (mode: string): string => (mode === 'api_key' ? 'API key' : 'Token');

/**
 * Above a page whose sign-in has ended: what is written on it stays, and what was sent waits. The
 * focus stays where somebody types.
 */
export function SignInAgain({ ended: { asks, refusal, signIn } }: { readonly ended: Ended }) {
  const { mode, issuer } = asks;
  const [problem, setProblem] = useState<string | null>(null);
  const under = useRef(new AbortController());
  const go = (at: Issuer): void => {
    under.current.abort();
    under.current = new AbortController();
    setProblem(null);
    const { signal } = under.current;
    signInBeside(at, signal).then(signIn, (error: unknown) => {
      if (!signal.aborted) setProblem(error instanceof Error ? error.message : String(error));
    });
  };
  const why = problem ?? refusal;
  return (
    <section className="problem" role="alert" aria-label="Sign in again">
      <p>
        {issuer === null
          ? `The server takes your ${secretOf(mode)} no more: ask whoever runs it for a new one. `
          : 'Your sign-in has ended. '}
        What you wrote is still here, and what you sent goes on when you are back.
      </p>
      {issuer !== null && (
        <button type="button" className="primary" onClick={() => go(issuer)}>
          Sign in again at {issuer.name}
        </button>
      )}
      {issuer === null && <Paste what={whatOf(mode)} isAlone={false} signIn={signIn} />}
      {why !== null && <p>{why}</p>}
    </section>
  );
}

/** `isAlone`: the page holds nothing else, and whoever opens it types here. */
function Paste({
  what,
  isAlone,
  signIn,
}: {
  readonly what: string;
  readonly isAlone: boolean;
  readonly signIn: (key: string) => void;
}) {
  const [key, setKey] = useState('');
  const send = (event: FormEvent): void => {
    event.preventDefault();
    if (key.trim() !== '') signIn(key.trim());
  };
  return (
    <form onSubmit={send}>
      <label htmlFor="key">{what}</label>
      <input
        id="key"
        type="password"
        autoComplete="off"
        spellCheck={false}
        // biome-ignore lint/a11y/noAutofocus: whoever opens a page with nothing else types here.
        autoFocus={isAlone}
        value={key}
        onChange={(event) => setKey(event.target.value)}
      />
      <button type="submit" className="primary">
        Sign in
      </button>
    </form>
  );
}
