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
   * RPCs of the operation. A server has an RPC if it has the RPC's service (`rpc-services.ts`). An operation without
   * RPCs has only HTTP paths.
   */
  readonly rpc: readonly RpcName[];
  /** True if the RPCs exist only in releases with `ApiRelease.hasLaterQueries`. */
  readonly laterRpc?: true;
  /** Restrictions on a lite full node, which was started from a snapshot. Undefined if the operation has none. */
  readonly closedOnLite?: ClosedOnLite;
}

/**
 * Paths and RPCs to which a lite full node does not respond. Reference: LiteFnQueryHttpFilter,
 * LiteFnQueryGrpcInterceptor.
 */
interface ClosedOnLite {
  /** Servers on which a lite full node does not respond to the path. A server without the operation has no effect. */
  readonly paths: readonly ServerName[];
  /** True if a lite full node does not respond to the RPCs on any server. */
  readonly rpc: boolean;
}

/** Restriction of operations that read old blocks. A lite full node does not have these blocks. */
export const HISTORY: ClosedOnLite = { paths: serverNames, rpc: true };

/** Definition of an operation over HTTP. `http/routes` implements it. */
export interface HttpEndpoint {
  /** Last segment of the path. */
  readonly name: string;
  /** Servers that have the operation. Each has its own path prefix. */
  readonly servers: readonly ServerName[];
  /** Servers that have the operation in releases with `ApiRelease.hasLaterQueries`. Default: the same as `servers`. */
  readonly laterServers?: readonly ServerName[];
  /**
   * True if a solidity node has the operation only in releases with `ApiRelease.hasLaterQueries`. Other nodes always
   * have it.
   */
  readonly isLateAlone?: true;
  /** Additional path of the operation, by server. The prefix of the server is not added to this path. */
  readonly outside?: Readonly<Partial<Record<ServerName, string>>>;
  /** True if java-tron's handler does not use PostParams, and so never reads a form. */
  readonly ignoresForms?: true;
  /**
   * HTTP method whose Java handler calls the handler of the other method. On the PBFT port, java-tron then searches the
   * state of the PBFT block twice. The second search counts the blocks down to the PBFT block from the state that the
   * first search found, not from the head (see `VotedView.again`). Reference: GetNowBlockServlet.doPost,
   * GetNowBlockOnPBFTServlet.doGet.
   */
  readonly handsOn?: 'GET' | 'POST';
  /** Arguments and their types. `visible` is not listed. The suffix `!` marks a required argument. */
  readonly reads: Readonly<Record<string, ArgumentKind | `${ArgumentKind}!`>>;
  /** Message type of the response; `Receipt` for an object with a receipt; `other` for any other custom format. */
  readonly prints: keyof typeof messages | 'Receipt' | 'other';
}

/** Definition of an operation. The key in the table is the name of the Java servlet without `Servlet`. */
export interface EndpointDefinition extends HttpEndpoint, RpcEndpoint {}
