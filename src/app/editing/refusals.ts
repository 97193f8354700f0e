import { ERROR_REGISTRY } from '../../domain/error-registry.js';
import { KitError } from '../../domain/errors.js';
import { hintFor } from '../../lib/nearest.js';
import type { EditProblem } from './editing-app.js';

const MAX_NAMED = 5;

/** Places as people look for them: `topologies/a.yaml:12`, else file and pointer. */
export const placeOf = ({ path, line, pointer }: EditProblem): string =>
  line === null ? `${path}${pointer === '' ? '' : `#${pointer}`}` : `${path}:${line}`;

function listed(parts: readonly string[]): string {
  const rest = parts.length - MAX_NAMED;
  return parts.slice(0, MAX_NAMED).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}

/** The workspace would not load, with everything that keeps it from loading. */
export function invalidEdit(errors: readonly EditProblem[]): KitError {
  const [first] = errors;
  const others = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  const detail =
    first === undefined
      ? 'the change is not a valid artifact'
      : `the workspace would not load: ${placeOf(first)}: ${first.message}${others}`;
  return new KitError('KIT_EDIT_INVALID', detail, { data: { valid: false, errors } });
}

/** One mistake of the request itself. */
export const refusedEdit = (problem: EditProblem, hint?: string): KitError =>
  new KitError('KIT_EDIT_INVALID', problem.message, {
    data: { valid: false, errors: [problem] },
    ...(hint === undefined ? {} : { hint }),
  });

export const inUse = (what: string, users: readonly EditProblem[]): KitError =>
  new KitError('KIT_EDIT_IN_USE', `${what} is used by ${listed([...new Set(users.map(placeOf))])}`, {
    data: { errors: users },
  });

/** `known`: the ids of its kind, among which the likely one is told. */
export const unknownArtifact = (what: string, id: string, known: Iterable<string>): KitError =>
  new KitError('KIT_EDIT_UNKNOWN', `there is no ${what}`, {
    hint: hintFor(id, known, { fallback: ERROR_REGISTRY.KIT_EDIT_UNKNOWN.hint }),
  });
