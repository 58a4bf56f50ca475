export interface IncomingRequest {
  readonly method: string;
  /** Request target as sent. */
  readonly target: string;
  readonly version: string;
  /** Header names and values alternating, as received. */
  readonly rawHeaders: readonly string[];
  readonly type: string;
  /** Body; `undefined` if it was larger than the limit. */
  readonly body: Uint8Array | undefined;
  /** True if the body did not arrive in time. A handler that reads it fails. */
  readonly isLate?: boolean;
}

/** Returns all values of a header. @param name in lower case */
export function headerValues({ rawHeaders }: Pick<IncomingRequest, 'rawHeaders'>, name: string): readonly string[] {
  return rawHeaders.filter((_text, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name);
}
