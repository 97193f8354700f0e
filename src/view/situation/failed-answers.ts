/**
 * What a reason of a failed run means: why, who fixes it, and what must come before the run is
 * worth trying again.
 */
export interface Failure {
  readonly code: string;
  readonly cause: string;
  readonly actor: 'submitter' | 'operator' | 'author';
  readonly fact: string | null;
}

export const failure = (code: string, actor: Failure['actor'], cause: string, fact: string | null = null): Failure => ({
  code,
  actor,
  cause,
  fact,
});

export const PASSING = 'the model provider failed for a reason that passes, as often as it is tried again';

/** What came of a model that was asked, by the reason of the row. */
export const ANSWER_FAILURES: Readonly<Record<string, Failure>> = {
  'provider.timeout': failure('provider-timeout', 'submitter', PASSING),
  'provider.rate_limited': failure('provider-rate-limited', 'submitter', PASSING),
  'provider.overloaded': failure('provider-overloaded', 'submitter', PASSING),
  'provider.server': failure('provider-server', 'submitter', PASSING),
  'provider.network': failure(
    'provider-network',
    'operator',
    'the model provider could not be reached',
    'a way to the provider',
  ),
  'provider.cut_stream': failure('provider-cut-stream', 'submitter', PASSING),
  'provider.auth': failure(
    'provider-auth',
    'operator',
    'the model provider refused the key',
    'a key that the provider takes',
  ),
  'provider.quota': failure(
    'provider-quota',
    'operator',
    'the account at the model provider has nothing left to spend',
    'credit, or a higher limit, at the provider',
  ),
  'provider.context_overflow': failure(
    'provider-context-overflow',
    'author',
    'the request is longer than the window of the model, and could not be made short enough',
    'a model with a larger window, or a smaller task',
  ),
  'provider.bad_request': failure(
    'provider-bad-request',
    'author',
    'the model provider refuses what the agent asks',
    'a model or settings that the provider takes',
  ),
  'provider.malformed': failure(
    'provider-malformed',
    'author',
    'the model provider answered something that is not an answer',
    'another model, or a provider that is fixed',
  ),
  'provider.content_filter': failure(
    'content-filter',
    'submitter',
    "the model provider's filter stopped the answer",
    'another wording of the task',
  ),
  'rules.unfilled': failure(
    'rules-unfilled',
    'author',
    'no rule of the model has an answer to this',
    'a rule that fits',
  ),
  output_invalid: failure(
    'output-invalid',
    'author',
    'an agent gave no output that fits its schema, corrections included',
    'a prompt or a schema that fit each other',
  ),
  empty_answer: failure(
    'empty-answer',
    'author',
    'an agent answered nothing, however often it was asked',
    'a prompt or a model that answers',
  ),
  truncated: failure(
    'truncated',
    'author',
    'the output limit of the model left no room for a whole answer, or for whole calls',
    'a higher `max_output_tokens`, less thinking, or a task with a shorter answer',
  ),
  invalid_calls: failure(
    'invalid-calls',
    'author',
    'an agent made the same calls again and again, with arguments that were refused',
    'a description of the tool that says what it takes, or another model',
  ),
};
