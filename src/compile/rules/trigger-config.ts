import type { Artifact } from '../../domain/artifact.js';
import type { Trigger } from '../../domain/generated/artifacts.js';
import type { JsonObject } from '../../domain/json.js';
import { atPointer } from '../../lib/json-pointer.js';
import type { JsonIssue } from '../../lib/json-schema.js';
import { pointerTo } from '../../lib/pointer-to.js';
import type { TriggerForm } from '../link/trigger-form.js';
import { triggerSpec } from '../link/trigger-spec.js';
import { objectAt } from '../read.js';
import { missing, type Report } from '../report.js';
import type { ProviderFacts } from './model-providers.js';

/** What a rule knows of trigger types. */
export interface TriggerHost {
  readonly triggerTypes: readonly ProviderFacts[] | null;
  readonly configIssues: (schema: JsonObject, config: JsonObject) => readonly JsonIssue[];
}

interface Checked {
  readonly id: string;
  readonly artifact: Artifact<Trigger>;
  readonly form: TriggerForm;
  /** What is said of the trigger already; its configuration is then not judged a second time. */
  readonly hasErrors: boolean;
}

/** The type behind a trigger has to be there, and its `config` has to fit it (docs/triggers.md). */
export function checkTriggerConfig(
  { id, artifact, form, hasErrors }: Checked,
  { triggerTypes, configIssues }: TriggerHost,
  report: Report,
): void {
  if (triggerTypes === null) return;
  const { type, providerId, config } = triggerSpec(id, artifact.value);
  const name = type === 'plugin' ? (providerId ?? '') : type;
  const found = triggerTypes.find((one) => one.name === name || one.id === name);
  if (found === undefined) {
    const known = triggerTypes.flatMap((one) => [one.name, one.id]);
    report.add(
      { artifact, pointer: type === 'plugin' ? '/provider_id' : '/type' },
      {
        code: 'trigger.unknown-provider',
        message: `no installed plugin contributes the trigger type \`${name}\``,
        ...missing('triggers', name, known),
      },
    );
    return;
  }
  if (hasErrors) return;
  for (const key of unreadKeys(type, { schema: found.configSchema, written: artifact.value.config ?? {} }))
    report.add(
      { artifact, pointer: pointerTo('/config', key), onKey: true },
      {
        code: 'trigger.unread-config',
        severity: 'warning',
        message: `the type \`${found.name}\` does not read \`${key}\``,
        help: 'correct or remove the key; ignore the warning if the key is for people or other tools',
      },
    );
  if (found.configSchema === null) return;
  for (const issue of configIssues(found.configSchema, config)) {
    const isWritten = atPointer(artifact.value, `/config${issue.pointer}`) !== undefined;
    report.add(
      { artifact, pointer: isWritten ? `/config${issue.pointer}` : form.isInline ? '' : '/config' },
      { code: 'trigger.bad-config', message: `the configuration does not fit \`${found.name}\`: ${issue.message}` },
    );
  }
}

/** Of the older form of a webhook, which is translated. */
const TRANSLATED = 'secret_ref';

/**
 * Members of `config` that the schema of the type lets through and does not name. `manual` has no
 * schema and reads nothing; what a plugin without a schema reads is not known.
 */
function unreadKeys(
  type: string,
  { schema, written }: { readonly schema: JsonObject | null; readonly written: JsonObject },
): readonly string[] {
  if (schema === null && type !== 'manual') return [];
  if (schema?.additionalProperties === false || (schema !== null && schema.properties === undefined)) return [];
  const named = Object.keys(objectAt(schema ?? {}, 'properties') ?? {});
  return Object.keys(written).filter((key) => !named.includes(key) && key !== TRANSLATED);
}
