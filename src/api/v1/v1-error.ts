import { TronError } from '../../primitives/errors.js';

/** A request that is refused, with the HTTP status of the answer. */
export class V1Error extends TronError<'V1_REFUSED'> {
  readonly status: number;

  constructor(status: number, message: string) {
    super('V1_REFUSED', message);
    this.status = status;
  }
}

/** A parameter that cannot be what it is. */
export function badParameter(name: string, rule: string): V1Error {
  return new V1Error(400, `${name} ${rule}`);
}
