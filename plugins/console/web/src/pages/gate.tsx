import { useEffect } from 'react';
import { Link, useLocation } from 'wouter';
import { useAsked } from '../api/live.js';
import type { AskedRequest, Gate as GateView, InboxPage } from '../api/types.js';
import { AskedFacts, Decisions } from '../parts/asked.js';
import { People } from '../parts/people.js';
import { NotYet, Status } from '../parts/small.js';
import { INBOX_PATH } from './inbox.js';

/** Where a link to a gate leads: to the reader's own item where there is one, else to the gate. */
export function Gate({ id }: { readonly id: string }) {
  const { data, error, again } = useAsked<GateView & { readonly request: AskedRequest }>(
    `/gates/${encodeURIComponent(id)}`,
  );
  const inbox = useAsked<InboxPage>(INBOX_PATH);
  const [, go] = useLocation();
  const own = inbox.data?.items.find(({ gate_id: gate }) => gate === id)?.id ?? null;
  useEffect(() => {
    if (own !== null) go(`/items/${own}`, { replace: true });
  }, [own, go]);
  if (data === null || inbox.data === null) return <NotYet error={error} again={again} />;
  return (
    <article className="item">
      <header className="page">
        <p className="quiet">
          <Link href="/">Inbox</Link> / {data.request.topology}
        </p>
        <h1>Gate</h1>
        <Status status={data.status} />
      </header>
      <AskedFacts request={data.request} />
      <People gate={data} />
      <Decisions decisions={data.request.decisions} />
      <p className="quiet">Nothing of it waits for you.</p>
    </article>
  );
}
