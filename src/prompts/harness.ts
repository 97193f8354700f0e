/** The end of what a session is told whose answer has a schema. */
export const contract = (schema: string): string => `End with one JSON value that fits this JSON Schema:\n${schema}`;

/** Added for the session after one whose answer does not fit. */
export const sessionCorrection = (faults: readonly string[]): string =>
  `The last answer did not fit the schema. Correct only these places:\n- ${faults.join('\n- ')}`;

/**
 * Told to a session that ended at a call which people have decided about since, where its model has
 * to ask for the call again.
 */
export function callDecided(call: {
  readonly tool: string;
  /** As JSON; secrets in it are masked. */
  readonly input: string;
  readonly answer: 'approved' | 'rejected';
  readonly comment: string;
}): string {
  const what = `${call.tool} ${call.input}`;
  if (call.answer === 'approved')
    return `You stopped because a person had to decide about this call: ${what}\nIt is approved. Make exactly this call again, once and unchanged, then go on with the task.`;
  const why = call.comment === '' ? '' : `\nThe person says: ${call.comment}`;
  return `You stopped because a person had to decide about this call: ${what}\nIt is rejected: do not make it.${why}\nGo on with the task without it.`;
}

/** What a session is told that was cut off, where its adapter says nothing. */
export const INTERRUPTED =
  'You were interrupted while you worked on this task. Look at what is done already, then go on and finish it. Do nothing twice.';

/** Told of a call that may have been made when a process died. */
export const MAYBE_MADE = 'it may have been made already: look before you ask for it again';

/** Told of a call that a person turned down. */
export const rejectedCall = (comment: string): string =>
  comment === '' ? 'a person rejected this call' : `a person rejected this call: ${comment}`;

/** Told of a call that has to wait for people where nobody can. */
export const SUBAGENT_WAITS = 'an agent that the session started cannot wait for people; do it yourself';
export const ONE_AT_A_TIME = 'one call at a time can wait for people; ask for this one again';

/** In place of an answer to a question that nobody answered. */
export const NOT_ANSWERED = 'No answer was given: decide yourself.';

/** Told of a question that a person turned down. */
export const questionRejected = (comment: string): string => `nobody answers this question. ${comment}`;

/** Told of a call that waits for people, by a program whose hook can only say no. */
export const WAITS_FOR_PEOPLE =
  'A person has to decide about this call first. It was not made. Do nothing else: you are told what they say.';

/** Told of a call of one of kit's tools that has to wait. */
export const WAITS_FOR_OTHERS =
  'This call waits for people or for another run. End your turn now, whatever is left to do: you are told when it has its answer, and make it again then.';

/** Told where a session has made as many calls as a model may make. */
export const NO_MORE_GATEWAY_CALLS = 'this session has made all the calls that it may; answer with what was found';

/** Told of a call of which nothing was done. `why`: null = the run ends or moves. */
export const notNow = (why: string | null): string =>
  why === null ? 'the run ends here; this call was not made' : `this call was not made: ${why}; try it again later`;

/** Told to a session that ended at calls which have an answer by now; each is name and input. */
export const gatewayCallsAnswered = (calls: readonly string[]): string =>
  `You stopped because these calls had to wait:\n${calls.map((call) => `- ${call}`).join('\n')}\nEach of them has its answer now. Make them again, once and unchanged, to be given the answer, then go on with the task.`;
