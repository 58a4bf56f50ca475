import { TronError } from '../../primitives/errors.js';

/** An invalid request, with the HTTP status of the response. */
export class V1Error extends TronError<'V1_REFUSED'> {
  readonly status: number;

  constructor(status: number, message: string) {
    super('V1_REFUSED', message);
    this.status = status;
  }
}

/** Returns the error for an invalid parameter. */
export function badParameter(name: string, rule: string): V1Error {
  return new V1Error(400, `${name} ${rule}`);
}
