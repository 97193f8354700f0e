/**
 * Thrown by a port in place of an answer: the step fails with this reason, at once. Nothing above
 * it retries, rewords or reports it as a fault of the other side. A replay throws it for a request
 * that its cassette does not hold (`replay.miss`).
 */
export class StepFailure extends Error {
  override readonly name = 'StepFailure';
  readonly reason: string;

  constructor(reason: string, message: string) {
    super(message);
    this.reason = reason;
  }
}
