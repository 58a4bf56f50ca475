/** Limits of a test server: small messages, no connection timeout. */
export const limits = {
  maxMessageSize: 1000,
  maxConcurrentCallsPerConnection: 100,
  maxConnectionIdleInMillis: Number.MAX_SAFE_INTEGER,
  maxConnectionAgeInMillis: Number.MAX_SAFE_INTEGER,
  maxHeaderListSize: 8192,
  flowControlWindow: 1_048_576,
};
