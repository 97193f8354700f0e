import type { ExecutorContext, HostAnswer } from '@kit-run/kit/plugin';

/** A program can ask for as many names as it likes; nobody reads more. */
const MAX_TOLD = 50;

/** Records each host and answer once in a launch; what is more than anybody reads, in one line. */
export function tellOnce(emit: ExecutorContext['emit']): (answer: HostAnswer) => Promise<void> {
  const told = new Map<string, Promise<void>>();
  let isFull = false;
  return (answer) => {
    const key = `${answer.answer} ${answer.host}:${answer.port}`;
    const earlier = told.get(key);
    // Who comes second goes on no sooner than the first: the record is there when it does.
    if (earlier !== undefined) return earlier;
    if (told.size >= MAX_TOLD && answer.answer === 'refused') {
      if (isFull) return Promise.resolve();
      isFull = true;
      const text = `more than ${MAX_TOLD} hosts were asked for; of the others the refused ones are not listed`;
      return emit({ type: 'message', role: 'warning', text });
    }
    const telling = emit({ type: 'network', ...answer });
    told.set(key, telling);
    return telling;
  };
}
