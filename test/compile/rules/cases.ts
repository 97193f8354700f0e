import { AGENTS } from './agent-cases.js';
import { CREDENTIALS } from './credential-cases.js';
import { EXECUTION } from './execution-cases.js';
import { FUNNELS } from './funnel-cases.js';
import type { RuleCase } from './rule-case.js';
import { SERVERS } from './server-cases.js';
import { SETTINGS } from './settings-cases.js';
import { SKILLS } from './skill-cases.js';
import { TOPOLOGIES } from './topology-cases.js';
import { TRIGGERS } from './trigger-cases.js';

export const RULE_CASES: readonly RuleCase[] = [
  ...AGENTS,
  ...SKILLS,
  ...FUNNELS,
  ...TOPOLOGIES,
  ...TRIGGERS,
  ...SERVERS,
  ...SETTINGS,
  ...CREDENTIALS,
  ...EXECUTION,
];
