import type { Artifact } from '../../domain/artifact.js';
import type { Trigger } from '../../domain/generated/artifacts.js';
import { isObject } from '../../lib/json.js';
import type { Linked } from '../link/link-workspace.js';
import { topologyOf } from '../link/topology-of.js';
import { type TriggerForm, triggerForm } from '../link/trigger-form.js';
import { textAt } from '../read.js';
import { didYouMean, type Place, type Report } from '../report.js';
import { cronProblem, timezoneProblem } from './schedule.js';
import { checkTriggerConfig, type TriggerHost } from './trigger-config.js';

interface Scope {
  readonly linked: Linked;
  readonly id: string;
  readonly artifact: Artifact<Trigger>;
  readonly form: TriggerForm;
  readonly report: Report;
  /**
   * Answers of this pass: asking for a zone is slow, and most triggers of a workspace name the
   * same.
   */
  readonly zones: Map<string, string | null>;
}

function zoneProblem({ zones }: Scope, zone: string): string | null {
  const known = zones.get(zone);
  if (known !== undefined) return known;
  const problem = timezoneProblem(zone);
  zones.set(zone, problem);
  return problem;
}

function checkTargets(scope: Scope): void {
  scope.form.targets.forEach((target, index) => {
    if (typeof target !== 'string' || topologyOf(scope.linked, target) !== null) return;
    const names = new Set([...scope.linked.topologies.values()].map((topology) => topology.name));
    scope.report.add(
      { artifact: scope.artifact, pointer: scope.form.targetPointer(index) },
      {
        code: 'trigger.unknown-target',
        message: `no topology is called \`${target}\``,
        help: didYouMean(target, names),
      },
    );
  });
}

function checkSchedule(scope: Scope): void {
  const { artifact, form, report } = scope;
  if (form.type !== 'cron') return;
  if (form.expression === null) {
    report.add(
      { artifact, pointer: '/config' },
      {
        code: 'trigger.bad-schedule',
        message: 'a cron trigger names no `expression`',
        help: 'write config.expression with 5 or 6 fields, such as "0 6 * * 1"',
      },
    );
  } else {
    const problem = cronProblem(form.expression);
    if (problem !== null)
      report.add(
        { artifact, pointer: form.expressionPointer },
        {
          code: 'trigger.bad-schedule',
          message: problem,
          help: 'write minute, hour, day, month and weekday: `0 3 * * *` is every day at 3:00',
        },
      );
  }
  const zone = form.timezone === null ? null : zoneProblem(scope, form.timezone);
  if (zone !== null)
    report.add(
      { artifact, pointer: '/config/timezone' },
      { code: 'trigger.bad-schedule', message: zone, help: 'write a name such as Europe/Berlin or UTC' },
    );
}

function checkAuth(scope: Scope): void {
  const { artifact, form, report, linked } = scope;
  if (form.auth === null) return;
  if (form.type !== 'webhook') {
    report.add(
      { artifact, pointer: '/config/auth' },
      {
        code: 'trigger.auth-not-webhook',
        message: `\`auth\` has no meaning on a ${form.type} trigger`,
        help: 'remove it: only webhooks are called from outside',
      },
    );
    return;
  }
  const ref = textAt(form.auth, 'credentials_ref');
  const { credentials: entries = {} } = linked.registries.config.value;
  if (ref === null || Object.hasOwn(entries, ref)) return;
  report.add(
    { artifact, pointer: form.authPointer },
    {
      code: 'credentials.unknown-ref',
      severity: 'warning',
      message: `no credentials entry is called \`${ref}\``,
      help: `the environment variable ${ref} is tried; without it the trigger stays inactive and answers 503`,
    },
  );
}

/**
 * Route of a webhook: the topology's name, or the trigger's id for event targets (interface,
 * Trigger). A disabled one has none.
 */
const routesOf = (scope: Scope): readonly string[] =>
  scope.form.type === 'webhook' && scope.artifact.value.enabled !== false
    ? scope.form.targets.map((target) => (isObject(target) ? scope.id : String(target).replace(/@.*$/, '')))
    : [];

function checkRoutes(scope: Scope, taken: Map<string, Place>): void {
  new Set(routesOf(scope)).forEach((route) => {
    const place: Place = { artifact: scope.artifact, pointer: scope.form.targetPointer(0) };
    const first = taken.get(route);
    if (first === undefined) taken.set(route, place);
    else
      scope.report.add(place, {
        code: 'trigger.duplicate-route',
        severity: 'warning',
        message: `two webhook triggers answer at /hooks/${route}`,
        help: 'give one of them another `path`: a delivery is accepted when either of them verifies it',
        related: [{ ...first, message: 'first taken here' }],
      });
  });
}

const errorCount = ({ diagnostics }: Report): number =>
  diagnostics.filter(({ severity }) => severity === 'error').length;

/** Rules on triggers (docs/triggers.md). */
export function checkTriggers(linked: Linked, host: TriggerHost, report: Report): void {
  const routes = new Map<string, Place>();
  const zones = new Map<string, string | null>();
  for (const [id, artifact] of linked.registries.triggers) {
    const scope: Scope = { linked, id, artifact, form: triggerForm(artifact.value), report, zones };
    const before = errorCount(report);
    checkTargets(scope);
    checkSchedule(scope);
    checkAuth(scope);
    checkRoutes(scope, routes);
    checkTriggerConfig({ id, artifact, form: scope.form, hasErrors: errorCount(report) > before }, host, report);
    if (scope.form.isInline) {
      report.add(
        { artifact, pointer: '' },
        {
          code: 'trigger.inline-form',
          severity: 'warning',
          message: 'the trigger is written in the older inline form',
          help: 'write `type`, `targets` and `config`',
        },
      );
    }
  }
}
