import { TronError } from '../primitives/errors.js';

/** An error that a retry cannot fix. The sink stops until the operator has acted as the message says. */
export class SinkError extends TronError<'SINK_REFUSED'> {
  constructor(message: string, options?: ErrorOptions) {
    super('SINK_REFUSED', message, options);
  }
}
