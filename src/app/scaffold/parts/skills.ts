import type { PartDraft, PartOf, SkillWork } from '../part-request.js';
import { BY_A_PERSON, scalar, titleOf } from './yaml-text.js';

interface Work {
  readonly description: string;
  readonly text: string;
}

function workOf(does: SkillWork): Work {
  switch (does.by) {
    case 'prompt':
      return {
        description: 'Asks a model one question about a text and gives its answer.',
        text: `# What the model that calls it has to fill in.
inputs:
  type: object
  required: [text]
  properties:
    text: { type: string, description: The text that the question is about. }
implementation:
  type: llm_prompt
  # One call of a model, without tools: this is its system text, and the inputs follow as JSON.
  prompt: Summarise the text in three sentences.
`,
      };
    case 'tool':
      return {
        description: `Calls the tool ${does.tool} of the server ${does.server}.`,
        text: `# The server says itself what the tool takes.
implementation:
  type: mcp_tool
  server: ${does.server}
  tool: ${scalar(does.tool)}
  # arguments: { limit: 20 }   fixed, and hidden from the model
`,
      };
    case 'topology':
      return {
        description: `Has the topology ${does.topology} run, and gives its answer.`,
        text: `implementation:
  type: agent
  topology: ${does.topology}
`,
      };
  }
}

export function skillDraft({ id, does }: PartOf<'skill'>): PartDraft {
  const work = workOf(does);
  return {
    files: [
      {
        path: `skills/${id}.yaml`,
        text: `apiVersion: kit/v1
kind: Skill
metadata:
  id: ${id}
  name: ${scalar(titleOf(id))}
  # Models read this sentence to decide whether to call it.
  description: ${scalar(work.description)}
category: capability
${work.text}${BY_A_PERSON}`,
      },
    ],
    change: null,
    next: [{ words: `let an agent hold it: skills: [${id}] below \`defaults\` of its archetype` }],
  };
}

export function toolServerDraft({ id, reach, credential }: PartOf<'tool-server'>): PartDraft {
  const way =
    reach.by === 'command' ? { transport: 'stdio', command: reach.argv } : { transport: 'http', endpoint: reach.url };
  return {
    files: [],
    change: {
      do: 'append',
      in: { file: 'workspace' },
      keys: ['mcp_servers'],
      // Whatever is not known to read only is asked about before it is called.
      entry: { id, ...way, ...(credential === null ? {} : { credentials_ref: credential }), permission: 'cautious' },
    },
    next: [
      { words: 'list its tools, and give one of them to agents as a skill:' },
      { command: ['skill', 'check'] },
      { command: ['new', 'skill', `${id}-tool`, '--server', id, '--tool', 'NAME_OF_THE_TOOL'] },
    ],
  };
}
