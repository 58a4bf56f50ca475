import { itemAt } from '../../../primitives/assert.js';
import { TronError } from '../../../primitives/errors.js';

/** A provider that does not do what it is asked for. Its text holds no key. */
export class DnsPublishError extends TronError<'DNS_PUBLISH'> {
  constructor(text: string) {
    super('DNS_PUBLISH', text);
  }
}

/** Name of the record of the domain itself. */
export const ROOT_NAME = '@';
/** Seconds that others may keep the root, which changes with every tree. Reference: Publish.rootTTL. */
export const ROOT_TTL_S = 600;

/** A TXT record, its strings joined. */
export interface ZoneRecord {
  /** Within the domain, in lower case; `@` is the domain. */
  readonly name: string;
  readonly text: string;
  readonly ttlS: number;
}

/** What becomes of a zone, in the order that keeps the tree whole for who reads it meanwhile. */
export interface ZoneChanges {
  readonly added: readonly ZoneRecord[];
  readonly updated: readonly ZoneRecord[];
  readonly deleted: readonly ZoneRecord[];
}

/** The TXT records of a domain at a provider. Every call throws {@link DnsPublishError}. */
export interface DnsZone {
  /** Seconds that others may keep a record that is no root. */
  readonly entryTtlS: number;
  /** Whether the provider lets this node in. */
  check(): Promise<void>;
  records(): Promise<readonly ZoneRecord[]>;
  /** Of records that were read last. @param comment for the provider's history */
  change(changes: ZoneChanges, comment: string): Promise<void>;
  close(): void;
}

/** Says what a provider answered, without the keys that its text may repeat. */
export function providerError(
  provider: string,
  call: string,
  error: unknown,
  secrets: readonly string[],
): DnsPublishError {
  const { name = 'Error', code, message = '' } = error instanceof Error ? (error as NodeJS.ErrnoException) : {};
  // What follows is the request, which is signed with the secret.
  let text = itemAt(message.split(/, URL: |string to sign/i), 0).slice(0, TEXT_MAX);
  for (const secret of secrets) text = text.replaceAll(secret, '***').replaceAll(encodeURIComponent(secret), '***');
  return new DnsPublishError(`${provider} ${call}: ${code ?? name}: ${text}`);
}

/** Characters of a provider's text that are told. */
const TEXT_MAX = 300;
