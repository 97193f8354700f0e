import { createHash } from 'node:crypto';
import type { Json, PreparedRun } from '@kit-run/kit/command';

type Funnel = NonNullable<PreparedRun['snapshot']['funnels']>[string];

const funnelsOf = (plan: PreparedRun): readonly Funnel[] => Object.values(plan.snapshot.funnels ?? {});

/** One line for each gate of the run: what is checked by itself, and who must sign. */
export function gateLines(plan: PreparedRun): readonly string[] {
  return funnelsOf(plan).map((funnel) => {
    const { validate, judge, review, approve } = funnel;
    const layers = [
      ...(validate === null ? [] : ['validate']),
      ...(judge === null ? [] : [`judge ${judge.skill} (at least ${judge.threshold})`]),
      ...(review === null ? [] : [`review by ${review.reviewer.archetype ?? review.reviewer.id}`]),
    ];
    return `gate ${funnel.id}: ${[...layers, ...approve.rules.map(ruleText)].join(', then ')}`;
  });
}

function ruleText({ roles, quorum, scope }: Funnel['approve']['rules'][number]): string {
  const count = typeof quorum === 'string' ? quorum : `${quorum.kOf} of`;
  return `${roles.length === 1 ? '' : `${count} `}${roles.join(', ')} for ${scope}`;
}

const digest = (value: Json): string | null =>
  value === null
    ? null
    : createHash('sha256')
        .update(typeof value === 'string' ? value : JSON.stringify(value))
        .digest('hex');

/**
 * The same with every setting; files by the SHA-256 of what they hold, durations in milliseconds.
 */
export function gatesToWire(plan: PreparedRun): readonly object[] {
  return funnelsOf(plan).map(({ id, validate, judge, review, approve, maxRetries }) => ({
    id,
    max_retries: maxRetries,
    validate: validate && {
      schema_sha256: digest(validate.schema),
      autocorrect: validate.autocorrect,
      max_diff_lines: validate.sliceBudget?.maxDiffLines ?? null,
      max_files: validate.sliceBudget?.maxFiles ?? null,
      cited_change: validate.citedChange,
    },
    judge: judge && {
      skill: judge.skill,
      model: plan.snapshot.models[`skill:${judge.skill}`]?.model ?? null,
      rubric_sha256: digest(judge.rubric),
      threshold: judge.threshold,
    },
    review: review && {
      archetype: review.reviewer.archetype,
      read_scope: review.readScope,
      route_back_at: review.routeBackAt,
    },
    approve: {
      rules: approve.rules.map(({ scope, roles, quorum, covers }) => ({
        scope,
        roles,
        quorum: typeof quorum === 'string' ? quorum : { 'k-of': quorum.kOf },
        covers,
      })),
      exclude_author: approve.excludeAuthor,
      on_revision: approve.onRevision,
      min_distinct_approvers: approve.minDistinctApprovers,
      expires_after_ms: approve.expiry?.afterMs ?? null,
      remind_before_ms: approve.expiry?.remindBeforeMs ?? null,
      on_expiry: approve.expiry?.action ?? null,
      escalate_to: approve.expiry?.escalateTo ?? [],
    },
  }));
}
