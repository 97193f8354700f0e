import { useEffect, useMemo, useRef, useState } from 'react';
import { Link } from 'wouter';
import { useSession } from '../api/session.js';
import type { InboxItem } from '../api/types.js';
import { useKeys } from './keys.js';
import type { Outcome } from './said.js';
import { Pre, Problem } from './small.js';

interface DecideProps {
  readonly item: InboxItem;
  /** The task of a later round that took its place; null: there is none. */
  readonly newer: string | null;
  /** With the outcome: this item is decided, and the next one can come. Null: it was refused. */
  readonly done: (outcome: Outcome | 'open_again' | null) => void;
  readonly next: (() => void) | null;
}

const WORDS: Readonly<Record<Outcome, { readonly verb: string; readonly key: string; readonly ask: string }>> = {
  approve: { verb: 'Approve', key: 'a', ask: 'A comment, if you like' },
  reject: { verb: 'Reject', key: 'r', ask: 'Why? The run ends with it' },
  changes_requested: { verb: 'Request changes', key: 'c', ask: 'What should change? The agent reads it' },
  answer: { verb: 'Answer', key: 'a', ask: 'Your answer' },
};

/** What an outcome takes that nobody has typed yet. */
const MISSING: Readonly<Record<Outcome, string>> = {
  approve: '',
  reject: 'Write why first: whoever asked reads it.',
  changes_requested: 'Write what should change first: the agent reads it.',
  answer: 'Write your answer first.',
};

const outcomesOf = ({ kind, question, options, free_text_allowed: isFree }: InboxItem): readonly Outcome[] => {
  if (kind === 'role_task') return ['approve', 'reject', 'changes_requested'];
  const takesText = kind === 'input' || (kind === 'other' && question !== null && (options.length > 0 || isFree));
  return takesText ? ['answer', 'reject'] : ['approve', 'reject'];
};

/**
 * `a`, `r` and `c` choose, Enter sends: three keys with the one that opened the item. Another item
 * is another of it, by its `key`: an effect that cleared the choice could run after the first key,
 * and what is typed next would go to other keys.
 */
export function Decide({ item, newer, done, next }: DecideProps) {
  const { client } = useSession();
  const [chosen, setChosen] = useState<Outcome | null>(null);
  const [comment, setComment] = useState('');
  const [option, setOption] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  /** Enter was pressed without the words that it takes. */
  const [isMissing, setMissing] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const choices = useRef<HTMLParagraphElement>(null);
  const isOpen = item.status === 'pending' && item.you?.can_decide === true;
  const outcomes = outcomesOf(item);
  // Where nothing but an option is an answer, what is typed goes with it as a comment.
  const isChoice = chosen === 'answer' && item.options.length > 0 && !item.free_text_allowed;
  useEffect(() => {
    if (chosen !== null) (isChoice ? choices.current?.querySelector('button') : field.current)?.focus();
  }, [chosen, isChoice]);
  useKeys(
    useMemo(
      () => ({
        ...(isOpen ? Object.fromEntries(outcomes.map((one) => [WORDS[one].key, () => setChosen(one)])) : {}),
        ...(next === null ? {} : { n: next }),
      }),
      [isOpen, outcomes, next],
    ),
  );

  if (!isOpen) {
    return (
      <footer className="decide">
        <p role="status">{whyOver(item)}</p>
        {error !== null && <Problem error={error} />}
        {comment.trim() !== '' && (
          <>
            <p>You had written:</p>
            <Pre>{comment}</Pre>
          </>
        )}
        {newer !== null && (
          <p>
            <Link href={`/items/${newer}`}>The task of the newest round is open.</Link>
          </p>
        )}
        {next !== null && (
          <button type="button" onClick={next}>
            Next <kbd>n</kbd>
          </button>
        )}
      </footer>
    );
  }

  const send = async (outcome: Outcome): Promise<void> => {
    setSending(true);
    setError(null);
    try {
      const id = encodeURIComponent(item.id);
      if (item.kind === 'role_task') {
        const { status } = await client.post<InboxItem>(`/review/${id}/resolve`, { outcome, comment });
        // Everybody has signed, and they are too few people.
        return done(status === 'pending' ? 'open_again' : outcome);
      }
      if (outcome === 'answer')
        await client.post(`/review/${id}/answer`, isChoice ? { answer: option, comment } : { answer: comment });
      else await client.post(`/review/${id}/${outcome}`, { comment });
      done(outcome);
    } catch (failed) {
      setError(failed instanceof Error ? failed : new Error(String(failed)));
      done(null);
    } finally {
      setSending(false);
    }
  };
  const needsWords = chosen === 'answer' || chosen === 'reject' || chosen === 'changes_requested';
  const isSaid = isChoice ? option !== null : !needsWords || comment.trim() !== '';
  const isReady = chosen !== null && !isSending && isSaid;
  const ask = isChoice ? 'A comment, if you like: the agent reads it too' : chosen === null ? '' : WORDS[chosen].ask;
  return (
    <footer className="decide">
      {error !== null && <Problem error={error} />}
      {chosen === 'answer' && item.options.length > 0 && (
        <p className="options" ref={choices}>
          {isChoice && <span>Choose one:</span>}
          {item.options.map((one) => (
            <button
              type="button"
              key={one}
              aria-pressed={(isChoice ? option : comment) === one}
              onClick={() => {
                (isChoice ? setOption : setComment)(one);
                field.current?.focus();
              }}
            >
              {one}
            </button>
          ))}
        </p>
      )}
      {isMissing && !isSaid && (
        <p role="status">{isChoice ? 'Choose an option first.' : MISSING[chosen ?? 'approve']}</p>
      )}
      {chosen !== null && (
        <textarea
          ref={field}
          aria-label={ask}
          placeholder={ask}
          value={comment}
          maxLength={10_000}
          onChange={(event) => setComment(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') setChosen(null);
            if (event.key !== 'Enter' || event.shiftKey) return;
            event.preventDefault();
            if (isReady) void send(chosen);
            else setMissing(!isSaid);
          }}
        />
      )}
      <p className="buttons">
        {outcomes.map((outcome) =>
          chosen === outcome ? (
            <button
              type="button"
              key={outcome}
              className={`primary ${outcome}`}
              disabled={!isReady}
              onClick={() => void send(outcome)}
            >
              {WORDS[outcome].verb} now <kbd>Enter</kbd>
            </button>
          ) : (
            <button type="button" key={outcome} className={outcome} onClick={() => setChosen(outcome)}>
              {WORDS[outcome].verb} <kbd>{WORDS[outcome].key}</kbd>
            </button>
          ),
        )}
        {chosen !== null && (
          <button type="button" onClick={() => setChosen(null)}>
            Back <kbd>Esc</kbd>
          </button>
        )}
        {next !== null && chosen === null && (
          <button type="button" onClick={next}>
            Next <kbd>n</kbd>
          </button>
        )}
      </p>
    </footer>
  );
}

/** Why nothing can be decided here, as somebody reads it who came by an old link. */
function whyOver({ kind, status, resolved_by: by, answer, you }: InboxItem): string {
  if (status === 'pending') return `You cannot decide this${you?.why_not == null ? '.' : `: ${you.why_not}`}`;
  if (answer !== null && kind !== 'permission') return `This is answered: ${answer}`;
  return `This is decided: ${status}${by === '' ? '' : ` by ${by}`}.`;
}
