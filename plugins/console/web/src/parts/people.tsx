import type { Gate } from '../api/types.js';
import { Fact, Facts, Status } from './small.js';

/** More names say less than the first ones. */
const SHOWN = 5;

/** `ada, grace as reviewers`: whom somebody asks who cannot decide themselves. */
function canSign({ role, members }: Gate['who_can_act'][number]): string {
  const more = members.length > SHOWN ? ` and ${members.length - SHOWN} more` : '';
  return `${members.slice(0, SHOWN).join(', ')}${more} as ${role}`;
}

/** Who has signed a gate, and whom it still needs. */
export function People({ gate }: { readonly gate: Gate }) {
  const able = gate.who_can_act.filter(({ members }) => members.length > 0).map(canSign);
  return (
    <section>
      <h2>People</h2>
      <Facts>
        {gate.round > 0 && <Fact name="Round">{gate.round}</Fact>}
        <Fact name="Gate">
          <Status status={gate.status} />
        </Fact>
        {gate.outstanding.length > 0 && <Fact name="Still needed">{gate.outstanding.join(', ')}</Fact>}
        {able.length > 0 && <Fact name="Can sign">{able.join('; ')}</Fact>}
        <Fact name="Approved by">{gate.distinct_approvers.join(', ') || 'nobody yet'}</Fact>
        {gate.min_distinct_approvers !== null && (
          <Fact name="Distinct people">at least {gate.min_distinct_approvers}</Fact>
        )}
        {gate.exclude_author && <Fact name="May not sign">{gate.author.identity}, who submitted it</Fact>}
      </Facts>
      {gate.stuck.map((reason) => (
        <p key={reason} className="problem">
          {reason}
        </p>
      ))}
      {gate.halted !== null && <p className="problem">{gate.halted}</p>}
    </section>
  );
}
