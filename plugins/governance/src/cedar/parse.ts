import { importOptional, type PolicyProblem, type PolicyWorkspace } from '@kit-run/kit/plugin';
import { type ParsePolicies, type PolicyFile, problem, textOf } from '../policy-set.js';
import { cedarSet } from './decide.js';
import { schemaOf } from './schema.js';
import { createSlices } from './slices.js';

type Cedar = typeof import('@cedar-policy/cedar-wasm/nodejs');
type DetailedError = import('@cedar-policy/cedar-wasm/nodejs').DetailedError;

/** Policies of one file by id: `<path>#<n>`, which is what a decision names. */
interface CedarFile {
  readonly path: string;
  readonly text: string;
  readonly policies: Readonly<Record<string, string>>;
}

/** Cedar policies, parsed once and evaluated by Cedar itself. */
export const parseCedar: ParsePolicies = async (files, workspace) => {
  const cedar: Cedar = await importOptional(
    '@cedar-policy/cedar-wasm',
    () => import('@cedar-policy/cedar-wasm/nodejs'),
  );
  const read = files.map((file) => readFile(cedar, file));
  const parsed = read.flatMap((one) => ('policies' in one ? [one] : []));
  const problems = [
    ...read.flatMap((one) => ('policies' in one ? [] : [one])),
    ...(workspace === null ? [] : invalid(cedar, parsed, workspace)),
  ];
  if (problems.length > 0) return { ok: false, problems };
  // Object.assign of a spread is any
  const policies = Object.assign({}, ...parsed.map((file) => file.policies)) as Record<string, string>;
  const answer = cedar.checkParsePolicySet({ staticPolicies: policies });
  if (answer.type === 'failure')
    return { ok: false, problems: answer.errors.map((error) => problem('policy.unparsable', '', error.message)) };
  return { ok: true, set: cedarSet(cedar, createSlices(cedar, policies)) };
};

function readFile(cedar: Cedar, file: PolicyFile): CedarFile | PolicyProblem {
  const text = textOf(file);
  if (text === null) return problem('policy.unparsable', file.path, 'the policy is not UTF-8 text');
  const parts = cedar.policySetTextToParts(text);
  if (parts.type === 'failure') {
    const [error] = parts.errors;
    const help = error?.sourceLocations?.[0]?.label ?? error?.help ?? null;
    return problem('policy.unparsable', file.path, error?.message ?? 'the policy does not parse', {
      line: error === undefined ? null : lineOf(text, error),
      help,
    });
  }
  if (parts.policy_templates.length > 0)
    return problem('policy.unparsable', file.path, 'a policy template has slots that nothing fills', {
      help: 'write the principal and the resource out',
    });
  return {
    path: file.path,
    text,
    policies: Object.fromEntries(parts.policies.map((policy, index) => [`${file.path}#${index + 1}`, policy])),
  };
}

/** Cedar counts UTF-8 bytes. */
function lineOf(text: string, error: DetailedError): number | null {
  const start = error.sourceLocations?.[0]?.start;
  if (start === undefined) return null;
  return new TextDecoder().decode(new TextEncoder().encode(text).subarray(0, start)).split('\n').length;
}

/** What the validator says of entities, actions and attributes that the workspace does not have. */
function invalid(cedar: Cedar, files: readonly CedarFile[], workspace: PolicyWorkspace): readonly PolicyProblem[] {
  return files.flatMap(({ path, text, policies }) => {
    // The schema is built here and read by Cedar, whose type of it has more forms than are needed.
    const answer = cedar.validate({ schema: schemaOf(workspace) as never, policies: { staticPolicies: policies } });
    if (answer.type === 'failure')
      return answer.errors.map((error) => problem('policy.unparsable', path, error.message));
    return answer.validationErrors.filter(isFirstOfPolicy).map(({ policyId, error }) =>
      problem('policy.unknown-entity', path, error.message.replace(/^for policy `[^`]*`, /, ''), {
        line: lineOfPolicy(text, policies[policyId] ?? ''),
        help: error.help,
      }),
    );
  });
}

/** The validator says a misspelt attribute once for every kind of action. */
const isFirstOfPolicy = (
  { policyId }: { policyId: string },
  index: number,
  all: readonly { readonly policyId: string }[],
): boolean => all.findIndex((other) => other.policyId === policyId) === index;

function lineOfPolicy(text: string, policy: string): number | null {
  const at = text.indexOf(policy);
  return at < 0 || policy === '' ? null : text.slice(0, at).split('\n').length;
}
