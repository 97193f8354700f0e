import { Component, type ReactNode, useEffect, useState } from 'react';
import { Link } from 'wouter';
import type { ApiError } from '../api/client.js';
import { visible } from './visible.js';
import { duration, moment } from './words.js';

/** The second of this machine's clock, for ages that grow while one looks. */
function useNow(everyMs: number): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

/** How long ago, with the whole time where one points. */
export function Ago({ at }: { readonly at: string }) {
  const now = useNow(10_000);
  const seconds = Math.max(0, (now - Date.parse(at)) / 1000);
  return (
    <time dateTime={at} title={moment(at)}>
      {seconds < 10 ? 'just now' : `${duration(Math.round(seconds))} ago`}
    </time>
  );
}

export function At({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={at}>
      {moment(at)}
    </time>
  );
}

const TONES: Readonly<Record<string, string>> = {
  completed: 'good',
  approved: 'good',
  ok: 'good',
  running: 'busy',
  queued: 'quiet',
  pending: 'wait',
  deferred: 'wait',
  stopped: 'quiet',
  failed: 'bad',
  rejected: 'bad',
  denied: 'bad',
  'changes-requested': 'wait',
};

export function Status({ status }: { readonly status: string }) {
  return <span className={`status ${TONES[status] ?? 'quiet'}`}>{status}</span>;
}

export function Problem({ error, again }: { readonly error: Error; readonly again?: () => void }) {
  const { hint: said = '' } = error as Partial<ApiError>;
  // Some hints name the route that tells more: a page is no place to ask it.
  const hint = /^Ask (?:GET|POST) \//.test(said) ? '' : said;
  return (
    <div className="problem" role="alert">
      <p>{error.message}</p>
      {hint !== '' && <p className="hint">{hint}</p>}
      {again !== undefined && (
        <button type="button" onClick={again}>
          Try again
        </button>
      )}
    </div>
  );
}

export function Facts({ children }: { readonly children: ReactNode }) {
  return <dl className="facts">{children}</dl>;
}

export function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Text as it stands, all of it seen. A long one scrolls by itself: the keyboard reaches it. */
export function Pre({ name, children }: { readonly name?: 'input' | 'critique'; readonly children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard.
    <pre className={name} tabIndex={0}>
      {typeof children === 'string' ? visible(children) : children}
    </pre>
  );
}

export const Empty = ({ children }: { readonly children: ReactNode }) => <p className="empty">{children}</p>;

export const Loading = () => (
  <p className="empty" aria-busy="true">
    Loading…
  </p>
);

/** In place of a page that has nothing to show yet, or cannot. */
export function NotYet({ error, again }: { readonly error: Error | null; readonly again?: () => void }) {
  if (error === null) return <Loading />;
  return (
    <>
      <h1>Nothing to show</h1>
      <Problem error={error} {...(again === undefined ? {} : { again })} />
      <p>
        <Link href="/">What waits for you</Link>
      </p>
    </>
  );
}

interface Fallen {
  readonly error: Error | null;
}

/** A page that cannot be drawn says so; the others stay. `place`: another one is tried anew. */
export class Boundary extends Component<{ readonly place: string; readonly children: ReactNode }, Fallen> {
  override state: Fallen = { error: null };

  static getDerivedStateFromError(error: Error): Fallen {
    return { error };
  }

  override componentDidUpdate({ place }: { readonly place: string }): void {
    if (place !== this.props.place && this.state.error !== null) this.setState({ error: null });
  }

  override render(): ReactNode {
    const { error } = this.state;
    return error === null ? this.props.children : <NotYet error={new Error(`This page failed: ${error.message}`)} />;
  }
}
