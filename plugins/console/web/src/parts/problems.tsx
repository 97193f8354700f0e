import { useEffect, useState } from 'react';
import { useSession } from '../api/session.js';

interface Validation {
  readonly diagnostics: readonly {
    readonly severity: string;
    readonly code: string;
    readonly message: string;
    readonly path: string;
    readonly help: string | null;
  }[];
}

/** Between two looks at the files. */
const PACE_MS = 1_500;
const MOST = 5;

/** `kit dev` opens the page so: whoever writes the files wants to know what is wrong with them. */
const isDev = (): boolean => globalThis.location.hash === '#dev';

/** What is wrong with the files as they stand. Nobody else asks for it: it is read at each look. */
export function Problems() {
  const { client } = useSession();
  const [found, setFound] = useState<Validation['diagnostics']>([]);
  const [isShown] = useState(isDev);
  useEffect(() => {
    if (!isShown) return;
    const over = new AbortController();
    const look = async (): Promise<void> => {
      try {
        const { diagnostics } = await client.get<Validation>('/validate', over.signal);
        setFound(diagnostics.filter(({ severity }) => severity === 'error'));
      } catch {
        // The server is away: the head of the page says so.
      }
      if (!over.signal.aborted) timer = setTimeout(look, PACE_MS);
    };
    let timer = setTimeout(look, 0);
    return () => {
      over.abort();
      clearTimeout(timer);
    };
  }, [client, isShown]);
  if (found.length === 0) return null;
  return (
    <section className="problem" role="alert" aria-label="Problems of the files">
      <p>
        <strong>
          {found.length} {found.length === 1 ? 'error' : 'errors'} in the files
        </strong>
        ; the server goes on with what it had.
      </p>
      <ul>
        {found.slice(0, MOST).map(({ code, message, path, help }) => (
          <li key={`${path} ${code} ${message}`}>
            <code>{path}</code>: {message} {help !== null && <span className="quiet">{help}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}
