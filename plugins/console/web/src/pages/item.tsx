import { useMemo } from 'react';
import { Link, useLocation } from 'wouter';
import { useAsked } from '../api/live.js';
import type { InboxItem, InboxPage } from '../api/types.js';
import { Artifact } from '../parts/artifact.js';
import { AskedFacts, Decisions, LedHere } from '../parts/asked.js';
import { Decide } from '../parts/decide.js';
import { Changes, Diff } from '../parts/diff.js';
import { People } from '../parts/people.js';
import { say } from '../parts/said.js';
import { NotYet, Pre, Problem, Status } from '../parts/small.js';
import { visible } from '../parts/visible.js';
import { bytes, textOf } from '../parts/words.js';
import { INBOX_PATH } from './inbox.js';

/** One item: the request first, then what is decided about, then the decision. */
export function Item({ id }: { readonly id: string }) {
  const { data: item, error, again } = useAsked<InboxItem>(`/inbox/${encodeURIComponent(id)}`);
  const inbox = useAsked<InboxPage>(INBOX_PATH);
  const [, go] = useLocation();
  const next = useMemo(() => {
    const rows = inbox.data?.items ?? [];
    const place = rows.findIndex((row) => row.id === id);
    return rows[place + 1]?.id ?? rows.find((row) => row.id !== id)?.id ?? null;
  }, [inbox.data, id]);
  const newer = useMemo(() => (item === null ? null : newerOf(item, inbox.data?.items ?? [])), [inbox.data, item]);
  if (item === null) return <NotYet error={error} again={again} />;
  const { request, gate, previous, artifact, diff } = item;
  return (
    <article className="item">
      <header className="page">
        <p className="quiet">
          <Link href="/">Inbox</Link> / {request.topology}
        </p>
        <h1>{visible(item.question ?? titleOf(item))}</h1>
        <Status status={item.status} />
      </header>
      {error !== null && <Problem error={error} again={again} />}
      <AskedFacts request={request} />
      {gate?.evidence.critique != null && (
        <section>
          <h2>What a check held against it</h2>
          <Pre name="critique">{gate.evidence.critique}</Pre>
        </section>
      )}
      {gate?.evidence.judge != null && (
        <p>
          The judge says <strong>{gate.evidence.judge.verdict}</strong>: {gate.evidence.judge.reasoning}
        </p>
      )}
      {request.call !== null && (
        <section>
          <h2>{visible(request.call.name)}</h2>
          <p>{visible(request.call.reason)}</p>
          <CallDetails details={request.call.details} run={request.run_id} />
        </section>
      )}
      {previous !== null && artifact !== null && (
        <section>
          <h2>Changes since your decision</h2>
          <p className="quiet">
            You said {previous.decision.outcome.replace('_', ' ')}
            {previous.decision.comment !== '' && `: ${previous.decision.comment}`}
          </p>
          <Changes before={previous.artifact} after={artifact} />
        </section>
      )}
      {diff !== null && diff !== '' && (
        <section>
          <h2>Changed files</h2>
          <Diff text={diff} />
        </section>
      )}
      {artifact !== null && (
        <section>
          <h2>To decide about</h2>
          <Artifact artifact={artifact} />
        </section>
      )}
      <LedHere led={request.led_here} />
      {gate !== null && <People gate={gate} />}
      <Decisions decisions={request.decisions} />
      <Decide
        key={item.id}
        item={item}
        newer={newer}
        done={(outcome) => {
          inbox.again();
          again();
          if (outcome === null) return;
          const place = next === null ? '/' : `/items/${next}`;
          say({ outcome, item, place });
          go(place);
        }}
        next={next === null ? null : () => go(`/items/${next}`)}
      />
    </article>
  );
}

interface CallDetailsProps extends Pick<NonNullable<InboxItem['request']['call']>, 'details'> {
  readonly run: string;
}

/** What a call would do; what was changed before it is read by file, like any change. */
function CallDetails({ details, run }: CallDetailsProps) {
  if (typeof details !== 'object' || details === null || !('diff' in details)) return <Pre>{textOf(details)}</Pre>;
  const { diff, ...facts } = details;
  if (typeof diff !== 'string') return <Pre>{textOf(details)}</Pre>;
  const { diff_bytes: size } = facts;
  return (
    <>
      <Pre>{textOf(facts)}</Pre>
      <h2>Changed so far</h2>
      {typeof size === 'number' && new TextEncoder().encode(diff).length < size && (
        <p className="quiet">
          The beginning of {bytes(size)}. <Link href={`/runs/${run}`}>The whole change</Link>
        </p>
      )}
      <Diff text={diff} />
    </>
  );
}

/** The task that took the place of this one in a later round, where the reader may decide it. */
const newerOf = (item: InboxItem, rows: InboxPage['items']): string | null =>
  rows.find(
    ({ gate_id: gate, role, rule_index: rule, round }) =>
      gate !== null && gate === item.gate_id && role === item.role && rule === item.rule_index && round > item.round,
  )?.id ?? null;

const titleOf = ({ kind, role, request }: InboxItem): string =>
  kind === 'role_task' ? `Review as ${role}` : kind === 'permission' ? `May it call ${request.call?.name}?` : 'Decide';
