import type { SaslOptions, TlsOptions } from '../../streams/sinks/sink-options.js';
import type { Members } from './members.js';

/** How a Kafka cluster is reached: members `tls { enable, ca, cert, key }`. */
export function readTls(given: Members): TlsOptions {
  const [ca, cert, key] = [given.text('ca'), given.text('cert'), given.text('key')];
  return { enable: given.boolean('enable', true), ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) };
}

/** Members `sasl { mechanism, username, password }`. @throws {UsageError} */
export function readSasl(given: Members): SaslOptions {
  return {
    mechanism: given.oneOf('mechanism', ['plain', 'scram-sha-256', 'scram-sha-512'] as const),
    username: given.required('username'),
    password: given.required('password'),
  };
}
