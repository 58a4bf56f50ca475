import { TronError } from '../primitives/errors.js';

/** Thrown if a retry cannot help. The sink stops until the operator has followed the instructions in the error text. */
export class SinkError extends TronError<'SINK_REFUSED'> {
  constructor(message: string, options?: ErrorOptions) {
    super('SINK_REFUSED', message, options);
  }
}
