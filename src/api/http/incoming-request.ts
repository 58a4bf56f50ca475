export interface IncomingRequest {
  readonly method: string;
  /** Request target as sent. */
  readonly target: string;
  readonly version: string;
  /** Names and values in turn, as sent. */
  readonly rawHeaders: readonly string[];
  readonly type: string;
  /** `undefined`: above the limit. */
  readonly body: Uint8Array | undefined;
  /** The body did not come in time: who reads it fails. */
  readonly isLate?: boolean;
}

/** Values of a header, as often as it was sent. @param name in lower case */
export function headerValues({ rawHeaders }: Pick<IncomingRequest, 'rawHeaders'>, name: string): readonly string[] {
  return rawHeaders.filter((_text, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name);
}
