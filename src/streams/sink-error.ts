import { TronError } from '../primitives/errors.js';

/** Thrown if a retry cannot help. The sink stops until the operator has done what the message says. */
export class SinkError extends TronError<'SINK_REFUSED'> {
  constructor(message: string, options?: ErrorOptions) {
    super('SINK_REFUSED', message, options);
  }
}
