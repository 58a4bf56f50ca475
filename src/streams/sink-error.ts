import { TronError } from '../primitives/errors.js';

/** Something that no repetition mends: the sink stops until a person has done what the message says. */
export class SinkError extends TronError<'SINK_REFUSED'> {
  constructor(message: string, options?: ErrorOptions) {
    super('SINK_REFUSED', message, options);
  }
}
