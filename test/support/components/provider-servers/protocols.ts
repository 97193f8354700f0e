import { ANTHROPIC } from './anthropic.js';
import { GOOGLE } from './google.js';
import { OLLAMA } from './ollama.js';
import { OPENAI_CHAT, OPENROUTER } from './openai-chat.js';
import { OPENAI_RESPONSES } from './openai-responses.js';
import type { Protocol } from './protocol.js';

/** Every wire format that can be started by its name. */
export const PROTOCOLS: readonly Protocol[] = [OPENAI_CHAT, OPENROUTER, OPENAI_RESPONSES, ANTHROPIC, GOOGLE, OLLAMA];
