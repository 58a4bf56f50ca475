import { itemAt } from '../../../primitives/assert.js';
import { TronError } from '../../../primitives/errors.js';

/** A failed request to a DNS provider. The message never contains a key. */
export class DnsPublishError extends TronError<'DNS_PUBLISH'> {
  constructor(text: string) {
    super('DNS_PUBLISH', text);
  }
}

/** Name of records at the domain itself, without a subdomain. */
export const ROOT_NAME = '@';
/**
 * TTL of the root record, in seconds. The TTL is short, because the root changes whenever the tree changes. Reference:
 * Publish.rootTTL.
 */
export const ROOT_TTL_S = 600;

/** A TXT record, with its strings joined. */
export interface ZoneRecord {
  /** Name within the domain, in lower case; `@` is the domain itself. */
  readonly name: string;
  readonly text: string;
  readonly ttlS: number;
}

/**
 * Changes of a zone. They are applied in the order of these fields, so that concurrent readers always find a complete
 * tree.
 */
export interface ZoneChanges {
  readonly added: readonly ZoneRecord[];
  readonly updated: readonly ZoneRecord[];
  readonly deleted: readonly ZoneRecord[];
}

/** TXT records of a domain at a DNS provider. All methods throw {@link DnsPublishError}. */
export interface DnsZone {
  /** TTL of all records except the root, in seconds. */
  readonly entryTtlS: number;
  /** Checks the access keys with a request to the provider. */
  check(): Promise<void>;
  records(): Promise<readonly ZoneRecord[]>;
  /**
   * Applies changes. `updated` and `deleted` may have only names that the last call of `records` returned.
   * @param comment text for the change history of the provider
   */
  change(changes: ZoneChanges, comment: string): Promise<void>;
  close(): void;
}

/** Returns an error with the message of a DNS provider. Removes access keys from the text. */
export function providerError(
  provider: string,
  call: string,
  error: unknown,
  secrets: readonly string[],
): DnsPublishError {
  const { name = 'Error', code, message = '' } = error instanceof Error ? (error as NodeJS.ErrnoException) : {};
  // The provider's text may contain the request after these words. The request contains a signature made with the
  // secret.
  let text = itemAt(message.split(/, URL: |string to sign/i), 0).slice(0, TEXT_MAX);
  for (const secret of secrets) text = text.replaceAll(secret, '***').replaceAll(encodeURIComponent(secret), '***');
  return new DnsPublishError(`${provider} ${call}: ${code ?? name}: ${text}`);
}

/** Maximum number of characters of a provider text in an error. */
const TEXT_MAX = 300;
