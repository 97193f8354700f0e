import { type FormEvent, useState } from 'react';

/** `mode`: name of the auth provider. */
export function SignIn({
  mode,
  refusal,
  signIn,
}: {
  readonly mode: string;
  readonly refusal: string | null;
  readonly signIn: (key: string) => void;
}) {
  const [key, setKey] = useState('');
  const what = mode === 'api_key' ? 'API key' : 'Token';
  const send = (event: FormEvent): void => {
    event.preventDefault();
    if (key.trim() !== '') signIn(key.trim());
  };
  return (
    <main className="sign-in">
      <h1>kit</h1>
      <form onSubmit={send}>
        <label htmlFor="key">{what}</label>
        <input
          id="key"
          type="password"
          autoComplete="off"
          spellCheck={false}
          // biome-ignore lint/a11y/noAutofocus: the page holds nothing else.
          autoFocus
          value={key}
          onChange={(event) => setKey(event.target.value)}
        />
        <button type="submit" className="primary">
          Sign in
        </button>
        {refusal !== null && (
          <p className="problem" role="alert">
            {refusal}
          </p>
        )}
      </form>
      <p className="quiet">It stays in this page and is gone when you close or reload it.</p>
    </main>
  );
}
