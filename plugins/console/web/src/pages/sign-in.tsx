import { type FormEvent, useState } from 'react';
import type { Asks } from '../api/session.js';
import { type Issuer, leave } from '../api/sign-in.js';

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
        <Paste what={mode === 'api_key' ? 'API key' : 'Token'} signIn={signIn} />
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

function Paste({ what, signIn }: { readonly what: string; readonly signIn: (key: string) => void }) {
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
        // biome-ignore lint/a11y/noAutofocus: whoever opens this types here.
        autoFocus
        value={key}
        onChange={(event) => setKey(event.target.value)}
      />
      <button type="submit" className="primary">
        Sign in
      </button>
    </form>
  );
}
