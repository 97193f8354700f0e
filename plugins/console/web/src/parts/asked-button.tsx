import { useState } from 'react';

/** A button that asks once more before it acts; what the server refuses stands before it. */
export function AskedButton({ word, yes, act }: AskedButtonProps) {
  const [isAsked, setAsked] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const go = async (): Promise<void> => {
    setAsked(false);
    setError(null);
    try {
      await act();
    } catch (failed) {
      setError(failed instanceof Error ? failed : new Error(String(failed)));
    }
  };
  return (
    <>
      {error !== null && <span role="alert">{error.message} </span>}
      {isAsked ? (
        <button type="button" className="primary" onClick={() => void go()}>
          {yes}
        </button>
      ) : (
        <button type="button" onClick={() => setAsked(true)}>
          {word}
        </button>
      )}
    </>
  );
}

interface AskedButtonProps {
  readonly word: string;
  /** The same as an answer to the question. */
  readonly yes: string;
  readonly act: () => Promise<void>;
}
