/** Of a server in tests: small messages, no end of a connection. */
export const limits = {
  maxMessageSize: 1000,
  maxConcurrentCallsPerConnection: 100,
  maxConnectionIdleInMillis: Number.MAX_SAFE_INTEGER,
  maxConnectionAgeInMillis: Number.MAX_SAFE_INTEGER,
  maxHeaderListSize: 8192,
  flowControlWindow: 1_048_576,
};
