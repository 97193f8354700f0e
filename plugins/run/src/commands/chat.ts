import { createInterface } from 'node:readline';
import {
  Args,
  type Conversation,
  Flags,
  type Followed,
  followHandle,
  identityFlag,
  KitCommand,
  KitError,
  manyLines,
  oneLine,
  openScreen,
  type RunHandle,
  toWireJob,
  whoActs,
  workspaceFlag,
} from '@kit-run/kit/command';
import { eventLine as lineOf } from '@kit-run/kit/text/event-line';
import { CHAT_HELP, chatLine } from '../chat-words.js';
import { parsePatience } from '../parse-flags.js';
import { placeOf } from '../place-of.js';

interface OpenChat {
  readonly workspace: string;
  readonly topology: string;
  readonly identity: string;
  readonly verbose: boolean;
  readonly quiet: boolean;
  conversation: Conversation;
}

export class Chat extends KitCommand {
  static override summary = 'Talk with a topology: each line is a turn, and each turn is a run.';
  static override description =
    'Lines come from the terminal, or from stdin when it is a file or pipe. With --input it sends one turn and ends. A turn that waits at a gate is answered when its run completes.';
  static override args = {
    workspace: Args.string({ description: 'Directory that holds workspace.yaml.' }),
    topology: Args.string({ description: 'Topology: name or name@version.' }),
  };
  static override flags = {
    workspace: workspaceFlag,
    resume: Flags.string({
      char: 'r',
      description: 'Go on with a conversation: its id or a unique prefix.',
      helpValue: 'ID',
    }),
    input: Flags.string({ char: 'i', description: 'Send this one turn and end.', helpValue: 'TEXT' }),
    as: identityFlag('Who talks (default: the OS user).'),
    shared: Flags.boolean({
      description: 'Start a conversation that others may read and continue.',
      exclusive: ['resume'],
    }),
    verbose: Flags.boolean({ char: 'v', description: 'Show what the runs do.' }),
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(Chat);
    this.stdout.goOnWithout(); // a turn is a run, which does not die with whoever read its answer
    const typed = { ...args, hasInput: flags.input !== undefined, command: 'kit chat' };
    const { arg, topology } = placeOf(typed, flags.workspace, this.settings.cwd);
    const workspace = this.workspaceDir({ flag: flags.workspace, arg });
    const identity = whoActs(this.settings, flags.as).identity;
    const conversation = await this.open({ workspace, topology, resume: flags.resume, identity, shared: flags.shared });
    const quiet = this.settings.quiet || this.jsonEnabled();
    const chat: OpenChat = {
      workspace,
      topology: conversation.topology,
      identity,
      verbose: flags.verbose,
      quiet,
      conversation,
    };
    const said = flags.input === undefined ? await this.chatLines(chat) : [await this.say(chat, flags.input)];
    const last = said.at(-1);
    if (last !== undefined && last.job.status === 'failed') this.exitWith(1);
    return {
      conversation: chat.conversation.id,
      topology: chat.topology,
      turns: said.map(({ job }) => toWireJob(job)),
    };
  }

  private async open(of: {
    workspace: string;
    topology: string | undefined;
    resume: string | undefined;
    identity: string;
    shared: boolean;
  }): Promise<Conversation> {
    const { workspace, topology, resume, identity, shared } = of;
    if (resume !== undefined) {
      const found = await this.kit.conversations.get({ workspace, conversation: resume, reader: { identity } });
      if (topology === undefined || topology === found.topology) return found;
      throw new KitError('KIT_USAGE', `conversation ${found.id} is one with ${found.topology}, not with ${topology}`, {
        hint: `kit chat -w ${workspace} --resume ${found.id}`,
      });
    }
    if (topology === undefined) throw new KitError('KIT_USAGE', 'name a topology: kit chat <workspace> <topology>');
    return this.kit.conversations.create({ workspace, topology, by: identity, shared });
  }

  /** Until the end of the lines, or a word of leaving. */
  private async chatLines(chat: OpenChat): Promise<readonly Followed[]> {
    const isTerminal = this.settings.stdinIsTty && this.settings.stderrIsTty;
    if (isTerminal && !chat.quiet)
      this.io.stderr.write(`conversation ${chat.conversation.id} with ${chat.topology}. ${CHAT_HELP}\n`);
    const lines = createInterface({
      input: this.io.stdin,
      output: this.io.stderr,
      terminal: isTerminal,
      prompt: isTerminal ? '> ' : '',
    });
    const said: Followed[] = [];
    // A file is at its end while its lines are still answered; what is closed cannot be paused.
    let isOpen = true;
    lines.once('close', () => {
      isOpen = false;
    });
    if (isTerminal) lines.prompt();
    for await (const text of lines) {
      const line = chatLine(text);
      if (line.kind === 'leave') break;
      if (line.kind === 'message') {
        if (isOpen) lines.pause();
        said.push(await this.say(chat, line.text));
        if (this.stdout.closed.aborted) break;
        if (isOpen) lines.resume();
      } else await this.obey(chat, line);
      if (isTerminal && isOpen) lines.prompt();
    }
    lines.close();
    if (!chat.quiet)
      this.io.stderr.write(`go on with: kit chat -w ${chat.workspace} --resume ${chat.conversation.id}\n`);
    return said;
  }

  private async obey(
    chat: OpenChat,
    line: Exclude<ReturnType<typeof chatLine>, { kind: 'message' | 'leave' }>,
  ): Promise<void> {
    if (line.kind === 'nothing') return;
    if (line.kind === 'clear') {
      chat.conversation = await this.kit.conversations.create({
        workspace: chat.workspace,
        topology: chat.topology,
        by: chat.identity,
        shared: chat.conversation.shared,
      });
      this.io.stderr.write(`conversation ${chat.conversation.id}\n`);
      return;
    }
    this.io.stderr.write(
      line.kind === 'help' ? `${CHAT_HELP}\n` : `there is no command ${oneLine(line.word)}. ${CHAT_HELP}\n`,
    );
  }

  /** One turn: the same run as `kit run` makes, with the conversation as its correlation. */
  private async say(chat: OpenChat, message: string): Promise<Followed> {
    const { workspace, identity } = chat;
    const submittedBy = { identity, assurance: 'asserted' } as const;
    const { run } = await this.kit.conversations.send<RunHandle>({
      workspace,
      conversation: chat.conversation.id,
      message,
      reader: { identity },
      submit: ({ source: _, ...turn }) =>
        this.kit.runs.start({
          ...turn,
          source: 'chat',
          workspace,
          attachments: [],
          supersedes: null,
          submittedBy,
          timeoutMs: null,
          trust: [],
          ...parsePatience(undefined, this.settings.stderrIsTty),
          ...(this.settings.traceParent === null ? {} : { traceParent: this.settings.traceParent }),
        }),
    });
    const followed = await this.follow(run, chat);
    const { job } = followed;
    if (!this.jsonEnabled()) {
      if (job.status === 'completed') this.io.stdout.write(`${manyLines(job.output ?? '')}\n`);
      else this.io.stderr.write(`${oneLine(job.error ?? `the run is ${job.status}`)} (run ${job.id})\n`);
    }
    return followed;
  }

  private async follow(handle: RunHandle, { identity, verbose, quiet }: OpenChat): Promise<Followed> {
    // A turn that waits for minutes says so; what else the run does is for --verbose.
    const eventLine: typeof lineOf = (event, options) =>
      verbose || event.type === 'step.waiting' ? lineOf(event, options) : null;
    const color = !this.settings.noColor && this.settings.stderrIsTty;
    const logJson = (value: unknown): void => this.logJson(value);
    const screen = openScreen({
      stderr: this.io.stderr,
      isJson: this.jsonEnabled(),
      quiet,
      verbose,
      color,
      readsKeys: false,
      openLive: null,
      eventLine,
      logJson,
    });
    return followHandle({ handle, afterSeq: 0, by: identity, screen, events: this.io.events });
  }
}
