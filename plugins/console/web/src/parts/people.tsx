import type { Gate } from '../api/types.js';
import { Fact, Facts, Status } from './small.js';

/** Who has signed a gate, and whom it still needs. */
export function People({ gate }: { readonly gate: Gate }) {
  return (
    <section>
      <h2>People</h2>
      <Facts>
        {gate.round > 0 && <Fact name="Round">{gate.round}</Fact>}
        <Fact name="Gate">
          <Status status={gate.status} />
        </Fact>
        {gate.outstanding.length > 0 && <Fact name="Still needed">{gate.outstanding.join(', ')}</Fact>}
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
