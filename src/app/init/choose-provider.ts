/** What the machine has that could answer for a model. */
export interface Machine {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Families that an installed plugin speaks. */
  readonly families: readonly string[];
  /** Models of a local Ollama; [] = it has none; null = no server answers. */
  readonly ollamaModels: readonly string[] | null;
  /** The program `ollama` is on the PATH. */
  readonly hasOllama: boolean;
  /** The program `claude` is on the PATH. */
  readonly hasClaude?: boolean;
}

/** A provider and a name of one of its models. */
export interface ModelChoice {
  readonly provider: string;
  readonly name: string;
}

/**
 * A model for the agents of a new workspace; null = none, and the template keeps what needs no
 * model.
 */
export interface ProviderChoice {
  readonly model: ModelChoice | null;
  /** One sentence: what was chosen, and why. Never a value of the environment. */
  readonly reason: string;
}

interface Hosted {
  readonly provider: string;
  readonly family: string;
  readonly keyEnv: string;
  /** A small model of the house: enough to try with, cheap, and easy to replace. */
  readonly model: string;
}

const HOSTED: readonly Hosted[] = [
  { provider: 'anthropic', family: 'anthropic', keyEnv: 'ANTHROPIC_API_KEY', model: 'claude-haiku-4-5' },
  { provider: 'openai', family: 'openai', keyEnv: 'OPENAI_API_KEY', model: 'gpt-5-mini' },
  { provider: 'google', family: 'google', keyEnv: 'GOOGLE_API_KEY', model: 'gemini-2.5-flash' },
  { provider: 'openrouter', family: 'openai-compatible', keyEnv: 'OPENROUTER_API_KEY', model: 'openai/gpt-5-mini' },
  { provider: 'groq', family: 'openai-compatible', keyEnv: 'GROQ_API_KEY', model: 'llama-3.3-70b-versatile' },
  {
    provider: 'together',
    family: 'openai-compatible',
    keyEnv: 'TOGETHER_API_KEY',
    model: 'meta-llama/Llama-3.3-70B-Instruct-Turbo',
  },
];

const isSet = (value: string | undefined): boolean => value !== undefined && value.trim() !== '';

function whyNone(machine: Machine, unusable: readonly Hosted[]): string {
  const first = unusable[0];
  if (first !== undefined) return `${first.keyEnv} is set, but no installed plugin calls ${first.provider}`;
  if (machine.ollamaModels !== null) return 'Ollama runs here but has no model; `ollama pull llama3.2` gets one';
  if (machine.hasOllama) return 'Ollama is installed but does not answer; start it with `ollama serve`';
  return 'no key of a provider is set, and no Ollama is here';
}

/**
 * The first provider whose key is set and whose family is installed; else a model of a local
 * Ollama; else none. Pure.
 */
export function chooseProvider(machine: Machine): ProviderChoice {
  const withKey = HOSTED.filter(({ keyEnv }) => isSet(machine.environment[keyEnv]));
  const usable = withKey.find(({ family }) => machine.families.includes(family));
  if (usable !== undefined) {
    return {
      model: { provider: usable.provider, name: usable.model },
      reason: `${usable.keyEnv} is set: agents use ${usable.provider}/${usable.model}`,
    };
  }
  const local = machine.ollamaModels?.[0];
  if (local !== undefined && machine.families.includes('ollama')) {
    return { model: { provider: 'ollama', name: local }, reason: `Ollama runs here: agents use ollama/${local}` };
  }
  return { model: null, reason: whyNone(machine, withKey) };
}
