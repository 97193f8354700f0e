import {
  Args,
  colorFlag,
  Flags,
  KitCommand,
  KitError,
  onlyHere,
  type SimulatedGate,
  type SimulateGate,
  workspaceArg,
  workspaceFlag,
} from '@kit-run/kit/command';
import { simulateText } from '@kit-run/kit/text/simulate-text';

export class ReviewSimulate extends KitCommand {
  static override baseFlags = onlyHere;
  static override summary = 'Simulate decisions at the gates of a topology; nothing is run or written.';
  static override description = 'Decisions are applied in the order of the command line.';
  static override examples = ['<%= config.bin %> review simulate release --author dana --approve qa-1,ops-1'];
  static override args = {
    topology: Args.string({ required: true, description: 'Topology: name or name@version.' }),
    workspace: workspaceArg,
  };
  static override flags = {
    workspace: workspaceFlag,
    author: Flags.string({ required: true, description: 'Who submits the run.', helpValue: 'IDENTITY' }),
    approve: Flags.string({ description: 'Who approves, in this order.', helpValue: 'A,B' }),
    reject: Flags.string({ description: 'Who rejects.', helpValue: 'A,B' }),
    'request-changes': Flags.string({ description: 'Who asks for changes.', helpValue: 'A,B' }),
    color: colorFlag,
  };

  override async run(): Promise<unknown> {
    const { args, flags, raw } = await this.parse(ReviewSimulate);
    const script = raw.flatMap((token) => (token.type === 'flag' ? actsOf(token.flag, token.input) : []));
    if (script.length === 0)
      throw new KitError('KIT_USAGE', 'no decision is given', {
        hint: 'Say who does: --approve a,b, --reject c or --request-changes d.',
      });
    const workspace = this.workspaceDir({ flag: flags.workspace, arg: args.workspace });
    const gates = await this.kit.review.simulate({ workspace, topology: args.topology, author: flags.author, script });
    if (!this.jsonEnabled()) {
      this.log(simulateText(gates, { color: flags.color ?? !this.settings.noColor }));
    }
    return { gates: gates.map(toWire) };
  }
}

const OUTCOMES = new Map([
  ['approve', 'approve'],
  ['reject', 'reject'],
  ['request-changes', 'changes_requested'],
] as const);

function actsOf(flag: string, input: string): SimulateGate['script'] {
  for (const [name, outcome] of OUTCOMES)
    if (name === flag) return names(input).map((identity) => ({ identity, outcome }));
  return [];
}

const names = (list: string): readonly string[] =>
  list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

const toWire = (gate: SimulatedGate) => ({
  agent_id: gate.agentId,
  funnel_id: gate.funnelId,
  status: gate.status,
  outstanding: gate.outstanding,
  stuck: gate.stuck,
  steps: gate.steps.map((step) => ({
    identity: step.identity,
    outcome: step.outcome,
    role: step.role,
    allowed: step.allowed,
    reason: step.reason,
    reopened: step.reopened,
    status: step.status,
    outstanding: step.outstanding,
    distinct_approvers: step.distinctApprovers,
  })),
});
