import { type Decision, importOptional, isKitError, type PolicyProblem } from '@kit-run/kit/plugin';
import { type ParsedPolicies, type PolicyFile, type PolicySet, problem, sentenceOf } from '../policy-set.js';
import { type Bundle, readBundle } from './bundle.js';
import { regoVerdict } from './verdict.js';

const DEFAULT_ENTRYPOINT = 'kit/authz/allow';

/** `opa build` for a source file, to be pasted. */
export const buildCommand = (path: string, entrypoint: string | null): string =>
  `opa build -t wasm -e ${entrypoint ?? DEFAULT_ENTRYPOINT} -o ${path.replace(/\.rego$/, '.tar.gz')} ${path}`;

/**
 * Compiled Rego: exactly one bundle (`.tar.gz`) or module (`.wasm`). There is no Rego interpreter
 * here, so source text is refused with the command that compiles it, unless it lies beside the
 * bundle.
 */
export async function parseRego(files: readonly PolicyFile[], entrypoint: string | null): Promise<ParsedPolicies> {
  const compiled = files.filter(({ path }) => /\.(?:tar\.gz|wasm)$/.test(path));
  const [file, second] = compiled;
  if (file === undefined) return { ok: false, problems: files.map(({ path }) => notCompiled(path, entrypoint)) };
  if (second !== undefined)
    return {
      ok: false,
      problems: [problem('policy.unparsable', second.path, `${file.path} is compiled already; one bundle decides`)],
    };
  try {
    return { ok: true, set: await regoSet(bundleOf(file), entrypoint) };
  } catch (error) {
    if (isKitError(error)) throw error;
    return {
      ok: false,
      problems: [problem('policy.unparsable', file.path, `the bundle cannot be used: ${sentenceOf(error)}`)],
    };
  }
}

const notCompiled = (path: string, entrypoint: string | null): PolicyProblem =>
  problem('policy.not-compiled', path, 'Rego source text is not evaluated here', {
    help: `compile it: ${buildCommand(path, entrypoint)}`,
  });

const bundleOf = ({ path, bytes }: PolicyFile): Bundle =>
  path.endsWith('.wasm') ? { wasm: bytes, data: null } : readBundle(bytes);

async function regoSet({ wasm, data }: Bundle, entrypoint: string | null): Promise<PolicySet> {
  const { loadPolicy } = await importOptional(
    '@open-policy-agent/opa-wasm',
    () => import('@open-policy-agent/opa-wasm'),
  );
  const policy = await loadPolicy(wasm);
  if (data !== null) policy.setData(data);
  const known: Readonly<Record<string, number>> = policy.entrypoints;
  if (entrypoint !== null && !Object.hasOwn(known, entrypoint))
    throw new Error(`it has no entrypoint ${entrypoint}; it has ${Object.keys(known).join(', ')}`);
  const query = entrypoint ?? 0;
  return {
    decide: (facts): Decision => {
      try {
        const [first]: readonly { readonly result?: unknown }[] = policy.evaluate(facts, query) ?? [];
        return regoVerdict(first?.result);
      } catch (error) {
        return { verdict: 'deny', reason: `the policy failed while it was evaluated: ${sentenceOf(error)}`, needs: [] };
      }
    },
  };
}
