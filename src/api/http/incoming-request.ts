/** A request as the handlers receive it. It can be sent to another thread. */
export interface IncomingRequest {
  readonly method: string;
  /** Request target as sent. */
  readonly target: string;
  /** Content-Type; empty if absent. */
  readonly type: string;
  readonly body: Uint8Array;
  /** Header `Host`. */
  readonly host?: string | undefined;
  /** Header `Origin`: the web page that sent the request. */
  readonly origin?: string | undefined;
}
