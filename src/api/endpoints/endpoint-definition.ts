import type * as messages from '../../codec/generated/messages.js';
import type { RpcName } from '../rpc-services.js';
import { type ServerName, serverNames } from '../servers.js';

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

/** An operation as it is seen over gRPC. What it does stands in `grpc/methods`. */
export interface RpcEndpoint {
  /**
   * RPCs that answer it, on every server that has a service that has them (`rpc-services.ts`); none: over HTTP alone.
   */
  readonly rpc: readonly RpcName[];
  /** They came with the later queries. */
  readonly laterRpc?: true;
  /** Absent: a lite full node answers it. */
  readonly closedOnLite?: ClosedOnLite;
}

/**
 * What a full node that began from a snapshot does not answer.
 * Reference: LiteFnQueryHttpFilter, LiteFnQueryGrpcInterceptor.
 */
interface ClosedOnLite {
  /** Servers whose path is closed, whether they have the operation or not. */
  readonly paths: readonly ServerName[];
  /** Whether its RPCs are closed, on all servers. */
  readonly rpc: boolean;
}

/** It reaches below the first block that a lite node has. */
export const HISTORY: ClosedOnLite = { paths: serverNames, rpc: true };

/** An operation as it is seen over HTTP. What it does stands in `http/routes`. */
export interface HttpEndpoint {
  /** Last segment of the path. */
  readonly name: string;
  /** Servers that have it, each under its own context. */
  readonly servers: readonly ServerName[];
  /** The same under releases that have later queries; undefined: no other. */
  readonly laterServers?: readonly ServerName[];
  /** A solidity node has it under releases that have later queries only. */
  readonly isLateAlone?: true;
  /** A whole path that a server has beside those. */
  readonly outside?: Readonly<Partial<Record<ServerName, string>>>;
  /** Its body is not read through PostParams, so that it is no form. */
  readonly ignoresForms?: true;
  /**
   * Requests of this method the handler gives to its other one, which asks for the state again: on the port of PBFT it
   * counts from the state that it has. Reference: GetNowBlockServlet.doPost, GetNowBlockOnPBFTServlet.doGet.
   */
  readonly handsOn?: 'GET' | 'POST';
  /** What is read beside `visible`, by name; `!` marks what must be given. */
  readonly reads: Readonly<Record<string, ArgumentKind | `${ArgumentKind}!`>>;
  /** Message that is printed; `other`: an answer of its own form. */
  readonly prints: keyof typeof messages | 'other';
}

/** One operation as it is seen from outside; its key in its table is the `<family>` of the servlet. */
export interface EndpointDefinition extends HttpEndpoint, RpcEndpoint {}
