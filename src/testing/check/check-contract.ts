import type { PluginCheckLine } from '../../domain/ports/plugin-authoring.js';
import { failed, passed, skipped } from '../../host/check/lines.js';
import { FIXTURES_FILE } from '../read-fixtures.js';
import { type ChildParts, runChild } from './child.js';
import { type ContractMessage, type ContractTarget, isContractMessage } from './run-contract.js';

/** No single case takes this long: each call in it has a deadline of seconds. */
const SILENT_MS = 60_000;
const LINGER_MS = 5_000;

function refusalHint(code: string): string {
  if (code === 'KIT_PLUGIN_CONFIG_INVALID')
    return `Put a \`config\` that fits the schema into ${FIXTURES_FILE}, under its point and id.`;
  return '`create` must work with the configuration and without a network; read what is needed in the first call.';
}

function lineOf(where: string, message: ContractMessage): readonly PluginCheckLine[] {
  switch (message.type) {
    case 'created':
      return [passed('create', where, { ms: Math.round(message.ms) })];
    case 'refused':
      return [failed('create', where, { message: message.message, hint: refusalHint(message.code) })];
    case 'case':
      if (message.violation !== null)
        return [
          failed('contract', where, {
            message: `${message.name}: ${message.violation}`,
            hint: `${FIXTURES_FILE} tells the suite what to give and what the other side answers; \`kit plugins check --explain ${where.split(' ')[0]}\` names its keys.`,
          }),
        ];
      return [
        message.notExercised === null
          ? passed('contract', where, { message: message.name })
          : skipped('contract', where, `${message.name}: ${message.notExercised}`),
      ];
    case 'done':
      return [];
  }
}

/** Creates one contribution in a process of its own and runs the suite of its point. */
export async function checkContract(
  target: ContractTarget,
  parts: ChildParts & { readonly contract: string },
): Promise<readonly PluginCheckLine[]> {
  const where = `${target.point} ${target.id}`;
  const messages: ContractMessage[] = [];
  const request = {
    file: parts.contract,
    args: [target.root, target.point, target.id],
    nodeArgs: [],
    silentMs: SILENT_MS,
    lingerMs: LINGER_MS,
  };
  const end = await runChild(parts, request, (message) => {
    if (isContractMessage(message)) messages.push(message);
  });
  const lines = messages.flatMap((message) => lineOf(where, message));
  const last = messages.at(-1)?.type;
  if (last === 'done' || last === 'refused') return lines;
  const why = end.isKilled
    ? `nothing happened for ${SILENT_MS / 1000} s`
    : `the process ended (${end.signal ?? end.exitCode}) ${end.stderr.trim().slice(0, 300)}`;
  return [
    ...lines,
    failed('contract', where, { message: why.trim(), hint: 'A contribution neither ends the process nor blocks it.' }),
  ];
}
