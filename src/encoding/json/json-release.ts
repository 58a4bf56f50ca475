import type { JsonLibrary } from './json-library.js';

/** Release-dependent settings of JSON parsers and printers. */
export interface JsonRelease {
  readonly json: JsonLibrary;
  /** Maximum nesting depth of a message. If undefined, only Java's stack limits the depth. Reference: JsonFormat */
  readonly depthMax: number | undefined;
  /**
   * True if the error for an invalid Base58Check address contains the field name. Reference:
   * JsonFormat.unescapeBytesSelfType
   */
  readonly namesBadAddresses: boolean;
  /** True if only texts with the length of an address are decoded. Reference: Commons.decodeFromBase58Check */
  readonly checksAddressLength: boolean;
}
