/** A request in the form that handlers receive. It can be sent to another thread. */
export interface IncomingRequest {
  readonly method: string;
  /** Request target: path and query, as the client sent them. */
  readonly target: string;
  /** Content-Type; empty if absent. */
  readonly type: string;
  readonly body: Uint8Array;
  /** Value of the header `Host`. */
  readonly host?: string | undefined;
  /** Value of the header `Origin`. It names the web page that sent the request. */
  readonly origin?: string | undefined;
}
