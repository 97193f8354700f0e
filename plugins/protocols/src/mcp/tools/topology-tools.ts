import type { OfferedTopology } from '@kit-run/kit/command';
import { isObject, type JsonObject, type JsonSchema } from '@kit-run/kit/plugin';
import type { Tool } from '../sdk/parts.js';
import { envelopeSchema } from './envelope-schema.js';
import { asPart } from './rebase-refs.js';

/** A topology as a tool. */
export interface TopologyTool {
  readonly definition: Tool;
  /** Absolute directory of its workspace. */
  readonly workspace: string;
  /** Bare name. */
  readonly topology: string;
  /** Of the highest version: what the definition says holds for its runs. */
  readonly version: string;
  /**
   * `whole`: the arguments are the input. `wrapped`: it stands under `input`, for arguments are
   * always an object. `text`: the same, and no schema but this tool says that it is a text.
   */
  readonly input: 'whole' | 'wrapped' | 'text';
  /** Whether `attachments` of the arguments are the run's, or a member of its input. */
  readonly takesAttachments: boolean;
  /** Whether the answer is a value and not text. */
  readonly isStructured: boolean;
}

/** Images for the first message. */
const ATTACHMENTS: JsonObject = {
  type: 'array',
  maxItems: 16,
  description: 'Images (PNG, JPEG, GIF, WebP) for the first message.',
  items: {
    type: 'object',
    required: ['data'],
    additionalProperties: false,
    properties: { name: { type: 'string' }, data: { type: 'string', description: 'Base64.' } },
  },
};

type InputSchema = JsonObject & { readonly type: 'object' };

const wrapped = (input: JsonObject): InputSchema => ({
  type: 'object',
  required: ['input'],
  additionalProperties: false,
  properties: { input, attachments: ATTACHMENTS },
});

const propertiesOf = ({ properties }: JsonSchema): JsonObject => (isObject(properties) ? properties : {});

/** One schema that is not an object makes clients refuse the whole list. */
function inputOf(
  schema: JsonSchema | null,
): Pick<TopologyTool, 'input' | 'takesAttachments'> & { readonly inputSchema: InputSchema } {
  if (schema === null)
    return {
      input: 'text',
      takesAttachments: true,
      inputSchema: wrapped({ type: 'string', description: 'What the run is asked.' }),
    };
  if (schema.type !== 'object')
    return { input: 'wrapped', takesAttachments: true, inputSchema: wrapped(asPart(schema, '/properties/input')) };
  const properties = propertiesOf(schema);
  const takesAttachments = !Object.hasOwn(properties, 'attachments');
  const whole = asPart(schema, '');
  return {
    input: 'whole',
    takesAttachments,
    inputSchema: {
      ...whole,
      type: 'object',
      ...(takesAttachments ? { properties: { ...propertiesOf(whole), attachments: ATTACHMENTS } } : {}),
    },
  };
}

/** Only what the effects of its skills prove: a hint that is missing is read as the worst. */
function annotationsOf({ effects }: OfferedTopology): Pick<Tool, 'annotations'> {
  switch (effects) {
    case 'none':
    case 'read':
      return { annotations: { readOnlyHint: true } };
    case 'write':
      return { annotations: { readOnlyHint: false, destructiveHint: false } };
    case 'unknown':
    case 'destructive':
      return {};
  }
}

/** How tools are called, and what their descriptions begin with. */
export interface Naming {
  /** Before the name of the topology: `run_`. */
  readonly prefix: string;
  /** Before each description; '' = nothing. */
  readonly about: string;
}

export const ONE_WORKSPACE: Naming = { prefix: 'run_', about: '' };

/** The tool of a topology. `workspace`: absolute directory. */
export function topologyTool(topology: OfferedTopology, workspace: string, naming: Naming): TopologyTool {
  const { name, version, description, outputSchema } = topology;
  const { inputSchema, ...input } = inputOf(topology.inputSchema);
  // Schemas of kit are read alone, those of the library may be written.
  const schemas = { inputSchema, outputSchema: envelopeSchema(outputSchema) } as unknown as Pick<Tool, 'inputSchema'>;
  return {
    workspace,
    topology: name,
    version,
    isStructured: outputSchema !== null,
    ...input,
    definition: {
      name: `${naming.prefix}${name}`,
      description: `${naming.about}${description ?? `Runs the topology ${name}.`}`,
      ...schemas,
      ...annotationsOf(topology),
    },
  };
}
