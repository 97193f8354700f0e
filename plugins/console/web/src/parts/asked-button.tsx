import { useState } from 'react';
import { useAct } from './act.js';
import { Problem } from './small.js';

/** A button that asks once more before it acts; what the server refuses stands before it. */
export function AskedButton({ word, yes, act }: AskedButtonProps) {
  const [isAsked, setAsked] = useState(false);
  const { isBusy, error, act: doing } = useAct();
  const go = (): void => {
    setAsked(false);
    void doing(act);
  };
  return (
    <>
      {error !== null && <Problem error={error} />}
      {isAsked ? (
        <button type="button" className="primary" onClick={go}>
          {yes}
        </button>
      ) : (
        <button type="button" disabled={isBusy} onClick={() => setAsked(true)}>
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
