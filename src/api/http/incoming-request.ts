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
}
