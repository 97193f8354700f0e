import type { Diagnostic } from '../../../domain/diagnostic.js';
import type { KitError } from '../../../domain/errors.js';
import type { PluginReport } from '../../../domain/extension-points.js';
import { installLineOf } from '../../../domain/harness-packages.js';
import type { Reference } from '../../../domain/reference.js';
import { shellWord, visible } from '../../../lib/shell-word.js';
import type { DoctorCheck } from '../../../view/doctor-report.js';
import type { UntrustedAdapter } from '../../submit/adapter-trust.js';
import { fail, ok, warn } from './check.js';

/** @param directory as it is to be pasted */
export function checkWorkspace(
  directory: string,
  diagnostics: readonly Pick<Diagnostic, 'severity' | 'path' | 'message'>[],
): DoctorCheck {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const [first] = errors;
  if (first === undefined) return ok('workspace', `${directory} has no error`);
  const more = errors.length === 1 ? '' : ` (and ${errors.length - 1} more)`;
  return fail('workspace', `${first.path}: ${first.message}${more}`, `kit validate ${shellWord(directory)}`);
}

/** Skills whose inputs most model providers are shown in another form than they were written in. */
export function checkSkillInputs(
  directory: string,
  diagnostics: readonly Pick<Diagnostic, 'code' | 'path'>[],
): readonly DoctorCheck[] {
  const paths = diagnostics.filter(({ code }) => code === 'skill.flat-inputs').map(({ path }) => path);
  if (paths.length === 0) return [];
  const found = `most model providers are shown the inputs of ${paths.join(', ')} as one flat object`;
  return [warn('skill-inputs', found, `kit validate ${shellWord(directory)}`)];
}

/** A topology whose run was planned: what would be refused at its start is refused here. */
export function checkTopology(
  topology: string,
  refusal: Pick<KitError, 'code' | 'message' | 'hint'> | null,
): DoctorCheck {
  const id = `topology.${topology}`;
  if (refusal === null) return ok(id, 'a run of it could start');
  // Who submits is a matter of the run, not of the machine.
  if (refusal.code === 'KIT_AUTHOR_UNIDENTIFIED') return warn(id, refusal.message, refusal.hint ?? null);
  return fail(id, refusal.message, refusal.hint ?? null);
}

/** A program that a run can start. */
export interface AdapterFacts {
  readonly id: string;
  /** The first word of its command as it is started. */
  readonly binary: string;
  /** Where it lies on PATH; null = it does not. */
  readonly path: string | null;
  /** Topology that uses it. */
  readonly topology: string;
  readonly untrusted: Pick<UntrustedAdapter, 'digest' | 'path' | 'command'> | null;
  /** Why its version is not one that the adapter was verified with; null = it is. */
  readonly unverified: string | null;
  /** The login that its agents begin with and that is not there, as `~/.claude`; null = none. */
  readonly login: string | null;
}

/** What nobody approved is looked for and never started, not even for its version. */
export function checkAdapter(directory: string, facts: AdapterFacts): DoctorCheck {
  const { id, binary, path, topology, untrusted, unverified, login } = facts;
  const own = `harness.${id}`;
  if (path === null)
    return fail(own, `${binary} is not on PATH`, installLineOf(binary) ?? `Install ${binary}, and put it on PATH.`);
  if (untrusted === null && login !== null)
    return warn(own, `its login ${login} is not there`, `Log in with \`${binary}\` once, as the user who runs kit.`);
  if (untrusted === null)
    return unverified === null ? ok(own, path) : warn(own, unverified, `kit adapters verify ${shellWord(id)}`);
  const fix = `Read ${untrusted.path}, then: kit run ${shellWord(directory)} ${shellWord(topology)} --trust ${untrusted.digest}`;
  return fail(own, `nobody approved that it starts ${visible(untrusted.command.join(' '))}`, fix);
}

/** A tool server that is started as a program. */
export interface ToolServerFacts {
  readonly id: string;
  /** The first word of its command. */
  readonly binary: string;
  /** Where it lies; null = nowhere. */
  readonly path: string | null;
  /** An agent holds a skill that calls it. */
  readonly isUsed: boolean;
}

/** The program is looked for and not started: `kit skill check` does that. */
export function checkToolServer({ id, binary, path, isUsed }: ToolServerFacts): DoctorCheck {
  const own = `tool-server.${id}`;
  if (path !== null) return ok(own, path);
  const found = `${binary} is not on PATH${isUsed ? '' : ', and no agent holds a skill that needs it'}`;
  return (isUsed ? fail : warn)(own, found, `Install ${binary}, and put it on PATH.`);
}

/** What a skill or a tool server names and this machine lacks. */
export interface LackingReference {
  readonly reference: Reference;
  /** Who needs it, in words: `the skill clock-today`. */
  readonly user: string;
  /** An agent holds it, or a skill that calls it. */
  readonly isUsed: boolean;
}

/** Credentials and tool servers have checks of their own. */
export function checkReference({ reference, user, isUsed }: LackingReference): readonly DoctorCheck[] {
  const { kind, name } = reference;
  const check = isUsed ? fail : warn;
  const who = `${user}${isUsed ? '' : ', which no agent uses,'} needs it`;
  switch (kind) {
    case 'variable':
      return [check(`variable.${name}`, `${name} is not set, and ${who}`, `export ${name}=<its value>`)];
    case 'program':
      return [check(`program.${name}`, `${name} is not on PATH, and ${who}`, `Install ${name}, and put it on PATH.`)];
    case 'credential':
    case 'server':
      return [];
  }
}

export function checkPlugins(
  reports: readonly Pick<PluginReport, 'name' | 'version' | 'state' | 'message' | 'origin'>[],
): readonly DoctorCheck[] {
  const broken = reports.filter(({ state }) => state === 'failed' || state === 'rejected');
  if (broken.length === 0) return [ok('plugins', `${reports.length} plugins, none refused`)];
  return broken.map(({ name, version, state, message, origin }) =>
    fail(
      `plugin.${name}`,
      `${version} ${state === 'rejected' ? 'was refused' : 'failed'}: ${message ?? 'it does not say why'}`,
      origin === 'bundled'
        ? 'npm install -g @kit-run/kit'
        : `kit plugins update ${name}   # or: kit plugins uninstall ${name}`,
    ),
  );
}
