import { Args, KitCommand, onlyHere } from '@kit-run/kit/command';
import { bashScript } from '../completion/bash.js';
import { fishScript } from '../completion/fish.js';
import { type CompletionNode, completionNodes } from '../completion/words.js';
import { zshScript } from '../completion/zsh.js';

const SCRIPTS: Readonly<Record<string, (nodes: readonly CompletionNode[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/**
 * Prints a completion script; writes no file and keeps no cache, so the next one knows plugins that
 * were installed since.
 */
export class Completion extends KitCommand {
  static override baseFlags = onlyHere;
  static override summary = 'Print a script that completes commands, flags and their values in a shell.';
  static override description =
    `Made from the commands of this kit and of its installed plugins; print it again after installing one. Nothing is written.

bash: echo 'source <(kit completion bash)' >> ~/.bashrc
zsh: echo 'source <(kit completion zsh)' >> ~/.zshrc (below the line with compinit)
fish: kit completion fish > ~/.config/fish/completions/kit.fish`;
  static override examples = [
    'source <(<%= config.bin %> completion bash)',
    '<%= config.bin %> completion fish | source',
  ];
  static override args = {
    shell: Args.string({ required: true, options: Object.keys(SCRIPTS), description: 'Which shell.' }),
  };

  override async run(): Promise<unknown> {
    const { args } = await this.parse(Completion);
    // the parser took a name of the table
    const script = SCRIPTS[args.shell]?.(completionNodes(this.config.commands)) ?? '';
    this.log(script.trimEnd());
    return { shell: args.shell, script };
  }
}
