import { posix } from 'node:path';
import type { Severity } from '../../domain/diagnostic.js';
import type { ApprovalRule, HumanRole } from '../../domain/generated/artifacts.js';
import { durationMs } from '../../lib/duration.js';
import { isObject } from '../../lib/json.js';
import { pointerTo } from '../../lib/pointer-to.js';
import { firstFile, funnelFileCandidates } from '../link/funnel-files.js';
import type { Linked } from '../link/link-workspace.js';
import { problemText, warnOfTimedPatterns } from '../link/output-schema.js';
import { didYouMean, type Report } from '../report.js';
import { checkNamedRole, type FunnelScope, rolesOf } from './funnel-roles.js';

/** Ten years: beyond it a date is a slip of the pen, and before long none that a clock can hold. */
const MAX_EXPIRY_MS = 3660 * 86_400_000;

/**
 * Expiry (docs/gates.md#expiry): a time that a clock can hold, a reminder before it, and roles that
 * can sign what escalates to them.
 */
function checkExpiry(scope: FunnelScope, roles: ReadonlyMap<string, HumanRole>): void {
  const { artifact, report } = scope;
  const policy = artifact.value.approve;
  const bad = (key: string, message: string, help: string, severity: Severity = 'error'): void =>
    report.add(
      { artifact, pointer: pointerTo('', 'approve', key) },
      { code: 'funnel.bad-expiry', severity, message, help },
    );
  const afterMs = durationMs(policy.expires_after ?? '');
  const remindMs = durationMs(policy.remind_before ?? '');
  if (afterMs !== null && afterMs > MAX_EXPIRY_MS)
    bad(
      'expires_after',
      'the gate would be open for more than ten years',
      'leave it out: a gate without it never expires',
    );
  if (afterMs !== null && remindMs !== null && remindMs >= afterMs)
    bad('remind_before', 'the reminder would come before the gate opens', 'write a time shorter than expires_after');
  const escalates = policy.on_expiry === 'escalate';
  if (policy.escalate_to !== undefined && !escalates)
    bad('escalate_to', 'nothing escalates to these roles', 'write `on_expiry: escalate` beside it', 'warning');
  if (!escalates) return;
  const first = policy.rules[0]?.scope ?? '';
  policy.escalate_to?.forEach((id, at) => {
    const pointer = pointerTo('', 'approve', 'escalate_to', at);
    checkNamedRole(scope, { id, pointer, scope: first, scopePointer: pointer }, roles);
  });
}

function checkFile(
  scope: FunnelScope,
  reference: string | undefined,
  layer: 'validate' | 'judge',
  key: 'schema' | 'rubric',
): void {
  if (reference === undefined) return;
  const { artifact, report } = scope;
  const place = { artifact, pointer: pointerTo('', layer, key) };
  const file = firstFile(scope.linked.files, funnelFileCandidates(artifact.path, layer, reference));
  if (file.state === 'missing') {
    report.add(place, {
      code: 'funnel.missing-file',
      message: `the ${key} file \`${reference}\` does not exist`,
      help: reference.includes('\\')
        ? 'write `/` between folders; paths are relative to the funnel file or to the workspace'
        : 'paths are relative to the funnel file or to the workspace',
    });
  } else if (file.state === 'outside') {
    report.add(place, {
      code: 'funnel.missing-file',
      message: `the ${key} file \`${reference}\` lies outside the workspace`,
      help: 'copy it into the workspace',
    });
  } else if (layer === 'validate') {
    const issue = isObject(file.tree) ? scope.linked.tools.schemaProblem(file.tree) : undefined;
    const flaw = issue === undefined ? 'it is not an object' : issue === null ? null : problemText(issue);
    const problem = file.problem ?? flaw;
    if (problem !== null)
      report.add(place, {
        code: 'funnel.bad-schema',
        message: `the schema file \`${reference}\` cannot be used: ${problem}`,
        help: 'correct the file: a schema is JSON Schema of draft 2020-12, such as `{ "type": "object" }`',
      });
    else if (isObject(file.tree)) warnOfTimedPatterns(report, place, file.tree);
  }
}

function checkJudge(scope: FunnelScope): void {
  const { linked, artifact, report } = scope;
  const skill = artifact.value.judge?.skill;
  if (skill === undefined) return;
  const found = linked.skills.get(skill);
  if (found?.category === 'decision') return;
  if (found === undefined && linked.registries.skills.has(skill)) return;
  report.add(
    { artifact, pointer: '/judge/skill' },
    found === undefined
      ? {
          code: 'funnel.unknown-judge',
          message: `no skill is called \`${skill}\``,
          help: didYouMean(skill, linked.skills.keys()),
        }
      : {
          code: 'funnel.unknown-judge',
          message: `\`${skill}\` is a ${found.category} skill and cannot judge`,
          help: 'name a skill of category `decision`',
        },
  );
}

function checkReviewer(scope: FunnelScope): void {
  const { linked, artifact, report } = scope;
  const id = artifact.value.review?.archetype;
  if (id === undefined) return;
  const { archetypes } = linked.registries;
  const reviewer = archetypes.get(id);
  const place = { artifact, pointer: '/review/archetype' };
  if (reviewer === undefined)
    report.add(place, {
      code: 'funnel.unknown-reviewer',
      message: `no archetype is called \`${id}\``,
      help: didYouMean(id, archetypes.keys()),
    });
  else if ((reviewer.value.executor?.kind ?? 'model') === 'model') {
    report.add(place, {
      code: 'funnel.reviewer-not-harness',
      severity: 'warning',
      message: `the reviewer \`${id}\` has no harness, so it cannot read the repository`,
    });
  }
}

function checkRule(scope: FunnelScope, rule: ApprovalRule, index: number, roles: ReadonlyMap<string, HumanRole>): void {
  const { artifact, report } = scope;
  const scopePointer = pointerTo('', 'approve', 'rules', index, 'scope');
  rule.roles.forEach((id, at) => {
    const pointer = pointerTo('', 'approve', 'rules', index, 'roles', at);
    checkNamedRole(scope, { id, pointer, scope: rule.scope, scopePointer }, roles);
  });
  const needed = typeof rule.quorum === 'object' ? rule.quorum['k-of'] : 0;
  const count = rule.roles.length;
  if (needed > count) {
    report.add(
      { artifact, pointer: pointerTo('', 'approve', 'rules', index, 'quorum') },
      {
        code: 'funnel.unreachable-quorum',
        message: `the quorum asks for ${needed} roles and names ${count}`,
        help: 'lower `k-of`, or add roles: k-of counts roles',
      },
    );
  }
}

/** Rules on funnels and their approval policies (docs/design/workspace.md#funnels). */
export function checkFunnels(linked: Linked, report: Report): void {
  const roles = rolesOf(linked);
  for (const artifact of linked.registries.funnels.values()) {
    const scope: FunnelScope = { linked, artifact, report };
    const { validate, judge, approve } = artifact.value;
    checkFile(scope, validate?.schema, 'validate', 'schema');
    checkJudge(scope);
    checkFile(scope, judge?.rubric, 'judge', 'rubric');
    checkReviewer(scope);
    checkReadScope(scope);
    approve.rules.forEach((rule, index) => {
      checkRule(scope, rule, index, roles);
    });
    checkExpiry(scope, roles);
  }
}

/** Why a path is none that a reviewer may be shown; null = it is one. */
function problemOf(path: string): string | null {
  if (path.includes('\\') || path.includes('\0')) return 'is not a path with forward slashes';
  const normal = posix.normalize(path);
  if (posix.isAbsolute(normal) || normal === '..' || normal.startsWith('../')) return 'leaves the repository';
  if (/^\.git(\/|$)/.test(normal)) return 'is where git keeps its own files';
  return path.trim() === '' ? 'is empty' : null;
}

/**
 * A reviewer is shown files of the repository and nothing beside it
 * (docs/design/execution.md#reviewer).
 */
function checkReadScope({ artifact, report }: FunnelScope): void {
  artifact.value.review?.read_scope?.forEach((path, index) => {
    const problem = problemOf(path);
    if (problem === null) return;
    report.add(
      { artifact, pointer: pointerTo('', 'review', 'read_scope', index) },
      {
        code: 'funnel.bad-read-scope',
        message: `the path \`${path}\` ${problem}`,
        help: 'write files and folders relative to the top of the repository',
      },
    );
  });
}
