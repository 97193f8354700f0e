/** What came of a wish to reach a host. */
interface Answered {
  readonly host: string;
  readonly port: number;
  readonly answer: string;
}

/** A program can ask for as many names as it likes; nobody reads more. */
const MOST = 50;

/**
 * Tells each host and answer once. Refused ones above 50 are told of in one sentence, which is
 * told once; a host that was reached is always told.
 */
export function hostsOnce<T extends Answered>(
  tell: (answer: T) => Promise<void>,
  tellMore: (text: string) => Promise<void>,
): (answer: T) => Promise<void> {
  const told = new Map<string, Promise<void>>();
  let isFull = false;
  return (answer) => {
    const key = `${answer.answer} ${answer.host}:${answer.port}`;
    const earlier = told.get(key);
    // Who comes second goes on no sooner than the first: the record is there when it does.
    if (earlier !== undefined) return earlier;
    if (told.size >= MOST && answer.answer === 'refused') {
      if (isFull) return Promise.resolve();
      isFull = true;
      return tellMore(`more than ${MOST} hosts were asked for; of the others the refused ones are not listed`);
    }
    const telling = tell(answer);
    told.set(key, telling);
    return telling;
  };
}
