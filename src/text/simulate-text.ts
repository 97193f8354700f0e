import type { SimulatedGate, SimulatedStep } from '../app/review/review-app.js';
import { oneLine } from '../view/lines/words.js';
import { gateTone, type ReviewTextOptions } from './gate-text.js';
import { createPaint, type Paint } from './lines/paint.js';

/** The fold of each gate of a topology, step by step. */
export function simulateText(gates: readonly SimulatedGate[], options: Pick<ReviewTextOptions, 'color'>): string {
  const paint = createPaint(options.color);
  return gates.map((gate) => gateLines(gate, paint).join('\n')).join('\n\n');
}

function gateLines(gate: SimulatedGate, paint: Paint): readonly string[] {
  const left =
    gate.outstanding.length === 0
      ? ''
      : `; still needed: ${gate.outstanding.map((one) => oneLine(one, 160)).join(', ')}`;
  return [
    `${paint('strong', `gate of ${oneLine(gate.agentId, 80)}`)}, funnel ${oneLine(gate.funnelId, 80)}`,
    ...gate.steps.map((step, index) => `  ${index + 1}. ${stepText(step, paint)}`),
    `  ${paint(gateTone(gate.status), gate.status)}${left}`,
    ...gate.stuck.map((why) => `  ${paint('bad', `! ${oneLine(why, 400)}`)}`),
  ];
}

function stepText(step: SimulatedStep, paint: Paint): string {
  const who = oneLine(step.identity, 80);
  if (!step.allowed) return `${who}: ${paint('warn', 'refused')}, ${oneLine(step.reason, 400)}`;
  const role = step.role === null ? '' : ` for ${oneLine(step.role, 80)}`;
  const again = step.reopened === null ? '' : `; too few people signed, so ${oneLine(step.reopened, 300)} opens again`;
  return `${who}${role}: ${step.outcome}; the gate is ${paint(gateTone(step.status), step.status)}${again}`;
}
