import type { StoredEvent } from '../../domain/events.js';
import type { Job } from '../../domain/job.js';
import { hostText } from '../lines/executor-text.js';
import { ANSWER_FAILURES, type Failure, failure, PASSING } from './failed-answers.js';
import { goOnOf } from './go-on.js';
import { loginFact } from './login-fact.js';
import { type Actor, AUTHOR, OPERATOR, type Situation, submitter } from './situation.js';

/** By the reason of the row, without the `executor.` of what an executor gave. */
const BY_REASON: Readonly<Record<string, Failure>> = {
  gate_rejected: failure(
    'gate-rejected',
    'submitter',
    'a person rejected the work at a gate, or nobody decided in time',
    'work that was changed to what they said; where nobody decided in time, people who do',
  ),
  gate_withdrawn: failure(
    'gate-withdrawn',
    'submitter',
    'a gate went when another gate of the run was rejected',
    'work that was changed to what they said: its input, or what its agents are told',
  ),
  rework_exhausted: failure(
    'rework-exhausted',
    'submitter',
    'people asked for changes as often as a gate may be reworked',
    'work that was changed to what they said: its input, or what its agents are told',
  ),
  KIT_ARTIFACT_CORRUPT: failure(
    'artifact-corrupt',
    'operator',
    'what was signed is not what lies in the artifact store',
    'the store restored from a backup',
  ),
  KIT_TOOL_SERVER_FAILED: failure(
    'tool-server',
    'operator',
    'a server of tools does not start or went away',
    'a server that starts',
  ),
  KIT_TOOL_SANDBOX_UNAVAILABLE: failure(
    'tool-sandbox',
    'operator',
    'a server of tools asks for a container that cannot be started',
    'a runtime that answers (`kit doctor`), and an image: `sandbox_image` or KIT_SANDBOX_IMAGE',
  ),
  KIT_CREDENTIAL_UNRESOLVED: failure(
    'credential-unresolved',
    'operator',
    'a credential has no value on this machine',
    'a value for the credential',
  ),
  KIT_CONSENT_REQUIRED: failure(
    'consent-required',
    'operator',
    'a server elsewhere wants a person to log in again',
    'a login',
  ),
  KIT_CREDENTIAL_EXPIRED: failure(
    'credential-expired',
    'operator',
    'the token of a login ended while the run worked',
    'a login, or the refresh that the next start makes',
  ),
  KIT_CREDENTIAL_OWNER: failure(
    'credential-owner',
    'operator',
    'several people have logged in for a credential',
    'config.owner of the credential',
  ),
  KIT_VAULT_KEY: failure(
    'vault-key',
    'operator',
    'the tokens of logins were encrypted with another key',
    'KIT_OAUTH_KEY as it was',
  ),
  KIT_VAULT_DAMAGED: failure('vault-damaged', 'operator', 'somebody changed what is kept of a login', 'a new login'),
  tool_unknown: failure(
    'tool-unknown',
    'author',
    'a skill names a tool that its server does not have',
    'a skill that names a tool of its server',
  ),
  ...ANSWER_FAILURES,
  decision_failed: failure(
    'decision',
    'submitter',
    'a required decision skill did not let the work through, or gave no verdict',
    'another task, or another judge',
  ),
  scope_missing: failure(
    'scope-missing',
    'author',
    'a plan needs a scope, and its coordinator made none',
    'a prompt or a model that makes one',
  ),
  plan_failed: failure(
    'plan',
    'author',
    'no task of a plan came to a result',
    'another task, or agents that can do its parts: `kit trace` shows why each failed',
  ),
  'limit.max_steps_per_run': failure(
    'max-steps-run',
    'author',
    'the run made as many calls as governance.limits.max_steps_per_run, or whoever asked for it, allows',
    'a higher limit, or less to do',
  ),
  'limit.max_steps_per_agent': failure(
    'max-steps-agent',
    'author',
    'an agent made as many calls as governance.limits.max_steps_per_agent allows',
    'a higher limit, or less to do',
  ),
  'limit.max_cost_per_run_usd': failure(
    'max-cost',
    'author',
    'the run cost as much as governance.limits.max_cost_per_run_usd, or whoever asked for it, allows',
    'a higher limit, or less to do',
  ),
  'limit.max_tokens_per_run': failure(
    'max-tokens',
    'author',
    'the run used as many tokens as governance.limits.max_tokens_per_run allows',
    'a higher limit, or less to do',
  ),
  max_turns: failure(
    'max-turns',
    'author',
    'a harness took as many turns as its budget allows',
    'a larger budget of the adapter, or a smaller task',
  ),
  task_timeout: failure(
    'task-timeout',
    'author',
    'an agent worked longer than runtime.task_timeout_seconds allows',
    'a longer task_timeout_seconds, or less to do',
  ),
  timeout: failure('timeout', 'submitter', 'the run executed longer than it may', 'a longer timeout, or less to do'),
  crash_loop: failure(
    'crash-loop',
    'operator',
    'its worker died again and again in one step',
    'a machine on which that step can run',
  ),
  denied: failure(
    'denied',
    'operator',
    'governance denied what the entry agent is',
    'a policy, a scope or a tier that allows it',
  ),
  in_doubt: failure(
    'in-doubt',
    'submitter',
    'a step was cut off and nobody may repeat it',
    'knowledge of whether its effect took place',
  ),
  'replay.miss': failure(
    'replay-miss',
    'submitter',
    'the run asked for something that the cassette does not hold',
    'a new recording',
  ),
  executor_threw: failure(
    'executor-threw',
    'operator',
    'the executor of an agent broke',
    'a repair of what its error names, in the plugin of the executor',
  ),
  sandbox_unavailable: failure(
    'sandbox-unavailable',
    'operator',
    'the sandbox of an agent could not be made',
    'a git repository with a commit to run inside, or a runtime for containers that answers (`kit doctor`)',
  ),
  idle: failure('harness-idle', 'submitter', 'a harness said nothing for too long and was ended'),
  wall_clock: failure(
    'harness-wall-clock',
    'author',
    'a harness took longer than its adapter allows',
    'a longer bound, or less to do',
  ),
  command_not_found: failure(
    'command-not-found',
    'operator',
    'the program of a harness is not on this machine',
    'the program on the PATH of this machine (`kit adapters list` names it); `ref: rehearsal` plays a script without one',
  ),
  credential_missing: failure(
    'credential-missing',
    'operator',
    'a harness has no login and no key',
    'the login or the key that its error names',
  ),
  aborted: failure('aborted', 'submitter', 'the run was aborted'),
};

/** The reason is one of a program or of a plugin. */
const OTHER = failure('other', 'submitter', 'the run failed', 'what its error names');

/**
 * Why a failed run failed, unless another run has taken its place. The row tells; the error says
 * the particulars.
 */
export function failedSituation(job: Job, successor: Job | null, events: readonly StoredEvent[]): Situation {
  const reason = (job.reason ?? '').replace(/^executor\./, '');
  const known = (Object.hasOwn(BY_REASON, reason) ? BY_REASON[reason] : undefined) ?? OTHER;
  const error = job.error === null ? '' : `: ${job.error}`;
  if (successor !== null) {
    return {
      code: 'failed.superseded',
      cause: `run ${successor.id} was submitted in its place and is ${successor.status}; it failed because ${known.cause}${error}`,
      actors: successor.status === 'completed' ? [{ kind: 'nobody', names: [] }] : [submitter(successor)],
      command: ['kit', 'why', successor.id],
      fact: null,
    };
  }
  const refused = refusedHosts(events);
  return {
    code: `failed.${known.code}`,
    cause: `${known.cause}${error}${refused === null ? '' : `; its container was refused ${refused}`}`,
    actors: [actorOf(known, job)],
    command: goOnOf(job, known.actor === 'operator' || known === OTHER || known.cause === PASSING),
    fact:
      loginFact(job) ??
      (refused === null ? known.fact : 'the host in `sandbox.allow` of its adapter, if it may be reached'),
  };
}

/** Nobody reads more names in one sentence. */
const MOST_HOSTS = 3;

/** The hosts that a harness was refused, in the order in which it asked; null = none. */
function refusedHosts(events: readonly StoredEvent[]): string | null {
  const hosts = new Set(
    events.flatMap((event) =>
      event.type === 'executor.network' && event.payload.answer === 'refused' ? [hostText(event.payload)] : [],
    ),
  );
  const named = [...hosts].slice(0, MOST_HOSTS).join(', ');
  return hosts.size === 0 ? null : `${named}${hosts.size > MOST_HOSTS ? ', ...' : ''}`;
}

function actorOf({ actor }: Failure, job: Job): Actor {
  if (actor === 'submitter') return submitter(job);
  return actor === 'operator' ? OPERATOR : AUTHOR;
}
