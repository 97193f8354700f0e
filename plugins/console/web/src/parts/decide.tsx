import { useEffect, useMemo, useRef, useState } from 'react';
import { useSession } from '../api/session.js';
import type { InboxItem } from '../api/types.js';
import { useKeys } from './keys.js';
import { Problem } from './small.js';

type Outcome = 'approve' | 'reject' | 'changes_requested' | 'answer';

interface DecideProps {
  readonly item: InboxItem;
  /** `isOver`: this item is decided, and the next one can come. */
  readonly done: (isOver: boolean) => void;
  readonly next: (() => void) | null;
}

const WORDS: Readonly<Record<Outcome, { readonly verb: string; readonly key: string; readonly ask: string }>> = {
  approve: { verb: 'Approve', key: 'a', ask: 'A comment, if you like' },
  reject: { verb: 'Reject', key: 'r', ask: 'Why? The run ends with it' },
  changes_requested: { verb: 'Request changes', key: 'c', ask: 'What should change? The agent reads it' },
  answer: { verb: 'Answer', key: 'a', ask: 'Your answer' },
};

const outcomesOf = ({ kind }: InboxItem): readonly Outcome[] =>
  kind === 'role_task'
    ? ['approve', 'reject', 'changes_requested']
    : kind === 'input'
      ? ['answer']
      : ['approve', 'reject'];

/**
 * `a`, `r` and `c` choose, Enter sends: three keys with the one that opened the item. Another item
 * is another of it, by its `key`: an effect that cleared the choice could run after the first key,
 * and what is typed next would go to other keys.
 */
export function Decide({ item, done, next }: DecideProps) {
  const { client } = useSession();
  const [chosen, setChosen] = useState<Outcome | null>(null);
  const [comment, setComment] = useState('');
  const [isSending, setSending] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const isOpen = item.status === 'pending' && item.you?.can_decide === true;
  const outcomes = outcomesOf(item);
  useEffect(() => {
    if (chosen !== null) field.current?.focus();
  }, [chosen]);
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
    const why =
      item.status === 'pending'
        ? `You cannot decide this${item.you?.why_not == null ? '.' : `: ${item.you.why_not}`}`
        : `This is decided: ${item.status}${item.resolved_by === '' ? '' : ` by ${item.resolved_by}`}.`;
    return (
      <footer className="decide">
        <p role="status">{why}</p>
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
      if (item.kind === 'role_task') await client.post(`/review/${id}/resolve`, { outcome, comment });
      else if (outcome === 'answer') await client.post(`/review/${id}/answer`, { answer: comment });
      else await client.post(`/review/${id}/${outcome}`, { comment });
      done(true);
    } catch (failed) {
      setError(failed instanceof Error ? failed : new Error(String(failed)));
      done(false);
    } finally {
      setSending(false);
    }
  };
  const needsWords = chosen === 'answer' || chosen === 'reject' || chosen === 'changes_requested';
  const isReady = chosen !== null && !isSending && (!needsWords || comment.trim() !== '');
  return (
    <footer className="decide">
      {error !== null && <Problem error={error} />}
      {chosen !== null && item.options.length > 0 && (
        <p className="options">
          {item.options.map((option) => (
            <button type="button" key={option} aria-pressed={comment === option} onClick={() => setComment(option)}>
              {option}
            </button>
          ))}
        </p>
      )}
      {chosen !== null && (
        <textarea
          ref={field}
          aria-label={WORDS[chosen].ask}
          placeholder={WORDS[chosen].ask}
          value={comment}
          maxLength={10_000}
          onChange={(event) => setComment(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') setChosen(null);
            if (event.key === 'Enter' && !event.shiftKey && isReady) {
              event.preventDefault();
              void send(chosen);
            }
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
