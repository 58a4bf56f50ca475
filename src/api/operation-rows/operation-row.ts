import type * as messages from '../../codec/generated/messages.js';
import type { ServerName } from '../servers.js';

/** What one thing that a handler reads is, in query or body. */
export type ArgumentKind =
  | 'bool'
  | 'int32'
  | 'int64'
  | 'text'
  | 'hex'
  | 'bytes'
  | 'address'
  | 'object'
  | 'object[]'
  | 'text[]'
  | 'hex[]';

/** One operation as it is seen over HTTP; its key in its table is the `<family>` of the servlet. What it does stands in `http/routes`. */
export interface OperationRow {
  /** Last segment of the path. */
  readonly name: string;
  /** Servers that have it, each under its own context. */
  readonly servers: readonly ServerName[];
  /** The same under releases that have later queries; undefined: no other. */
  readonly laterServers?: readonly ServerName[];
  /** A whole path that a server has beside those. */
  readonly outside?: Readonly<Partial<Record<ServerName, string>>>;
  /** Its body is not read through PostParams, so that it is no form. */
  readonly ignoresForms?: true;
  /** What is read beside `visible`, by name; `!` marks what must be given. */
  readonly reads: Readonly<Record<string, ArgumentKind | `${ArgumentKind}!`>>;
  /** Message that is printed; `other`: an answer of its own form. */
  readonly prints: keyof typeof messages | 'other';
}
