import { Args, Flags, KitCommand, KitError, onlyHere, toWireGraph, workspaceFlag } from '@kit-run/kit/command';
import { drawGraphs } from '@kit-run/kit/text/draw-graphs';

/** Draws topologies. */
export class Graph extends KitCommand {
  static override baseFlags = onlyHere;
  static override summary = 'Draw a topology: its agents, their skills and gates, and what starts it.';
  static override description =
    'Text without a name shows every topology; Mermaid and SVG show one. GitHub and GitLab draw Mermaid in Markdown; an SVG is one file without script, font or address.';
  static override examples = [
    '<%= config.bin %> graph',
    '<%= config.bin %> graph review --format mermaid',
    '<%= config.bin %> graph review --format svg > review.svg',
  ];
  static override args = { topology: Args.string({ description: 'NAME or NAME@VERSION.', ignoreStdin: true }) };
  static override flags = {
    workspace: workspaceFlag,
    format: Flags.option({
      char: 'f',
      options: ['text', 'mermaid', 'svg'] as const,
      default: 'text' as const,
      description: 'How it is drawn.',
      helpValue: 'FORMAT',
    })(),
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(Graph);
    const workspace = this.workspaceDir({ flag: flags.workspace });
    const graphs = await this.kit.info.graphs({ workspace, topology: args.topology ?? null });
    if (this.jsonEnabled()) return { graphs: graphs.map(toWireGraph) };
    if (flags.format !== 'text' && graphs.length > 1)
      throw new KitError('KIT_USAGE', 'a picture shows one topology, and the workspace has several', {
        hint: `Name one of ${graphs.map(({ name, version }) => `${name}@${version}`).join(', ')}.`,
      });
    this.log(graphs.length === 0 ? 'there are no topologies' : drawGraphs(graphs, flags.format));
    return undefined;
  }
}
