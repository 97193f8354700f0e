import { useState } from 'react';

/** What a person does, one thing at a time. What went wrong is shown until the next one. */
export interface Acting {
  readonly isBusy: boolean;
  readonly error: Error | null;
  readonly act: (work: () => Promise<void>) => Promise<void>;
}

export function useAct(): Acting {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const act = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      await work();
    } catch (failed) {
      setError(failed instanceof Error ? failed : new Error(String(failed)));
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, error, act };
}
