import type * as messages from '../../codec/generated/messages.js';
import type { RpcName } from '../rpc-services.js';
import { type ServerName, serverNames } from '../servers.js';

/** Type of an argument in the query or body. */
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

/** Definition of an operation over gRPC. `grpc/methods` implements it. */
export interface RpcEndpoint {
  /**
   * RPCs of the operation. They exist on every server whose services include them (`rpc-services.ts`). Empty: the
   * operation has only HTTP paths.
   */
  readonly rpc: readonly RpcName[];
  /** True if the RPCs exist only in releases with `ApiRelease.hasLaterQueries`. */
  readonly laterRpc?: true;
  /** Restrictions on a lite full node (started from a snapshot); absent if no restriction applies. */
  readonly closedOnLite?: ClosedOnLite;
}

/**
 * Paths and RPCs that a full node started from a snapshot does not answer.
 * Reference: LiteFnQueryHttpFilter, LiteFnQueryGrpcInterceptor.
 */
interface ClosedOnLite {
  /** Servers on which the path is closed. The list may include servers that do not have the operation. */
  readonly paths: readonly ServerName[];
  /** True if the RPCs are closed on all servers. */
  readonly rpc: boolean;
}

/** Restriction of operations that read blocks older than the first block of a lite node. */
export const HISTORY: ClosedOnLite = { paths: serverNames, rpc: true };

/** Definition of an operation over HTTP. `http/routes` implements it. */
export interface HttpEndpoint {
  /** Last segment of the path. */
  readonly name: string;
  /** Servers that have the operation, each below its own path prefix. */
  readonly servers: readonly ServerName[];
  /** Servers that have the operation in releases with `ApiRelease.hasLaterQueries`. Default: the same as `servers`. */
  readonly laterServers?: readonly ServerName[];
  /**
   * True if a solidity node has the operation only in releases with `ApiRelease.hasLaterQueries`. Other nodes have it
   * in all releases.
   */
  readonly isLateAlone?: true;
  /** Additional path of the operation on a server. It is complete and does not have the server's prefix. */
  readonly outside?: Readonly<Partial<Record<ServerName, string>>>;
  /** True if the handler does not use PostParams and therefore never reads a form. */
  readonly ignoresForms?: true;
  /**
   * HTTP method whose Java function calls the function of the other method. The state is then selected twice. On the
   * PBFT port the second selection starts from the state that the first one selected.
   * Reference: GetNowBlockServlet.doPost, GetNowBlockOnPBFTServlet.doGet.
   */
  readonly handsOn?: 'GET' | 'POST';
  /** Arguments with their types, in addition to `visible`. The suffix `!` marks a required argument. */
  readonly reads: Readonly<Record<string, ArgumentKind | `${ArgumentKind}!`>>;
  /** Message type of the response; `other` if the response has a custom format. */
  readonly prints: keyof typeof messages | 'other';
}

/** Definition of an operation. Its key in a table of endpoints is the name of the Java servlet, without `Servlet`. */
export interface EndpointDefinition extends HttpEndpoint, RpcEndpoint {}
