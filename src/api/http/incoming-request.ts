/** A request as the handlers receive it. It can be sent to another thread. */
export interface IncomingRequest {
  readonly method: string;
  /** Request target: path and query, as sent by the client. */
  readonly target: string;
  /** Content-Type; empty if absent. */
  readonly type: string;
  readonly body: Uint8Array;
  /** Value of the header `Host`. */
  readonly host?: string | undefined;
  /** Value of the header `Origin`, which identifies the web page that sent the request. */
  readonly origin?: string | undefined;
}
