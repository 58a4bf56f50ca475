import type { ApiContext } from '../../../src/api/context/api-context.js';
import { createGraphqlServer } from '../../../src/api/graphql/graphql-server.js';
import type { StallLimits } from '../../../src/api/graphql/stall-guarded-stream.js';
import { NO_FLAGS } from '../../../src/config/flags.js';
import { loadConfig } from '../../../src/config/load-config.js';
import { chainRules } from '../../../src/node/chain-config.js';
import type { ChainRules } from '../../../src/state-transition/state/chain-rules.js';
import { silent } from '../projections/chain.js';
import { openChain } from '../streams/genesis.js';
import { golden } from '../tronicle.js';

/**
 * API context for subscriptions to a ledger whose blocks are not executed. It has only the parts that subscriptions
 * read.
 */
export const api = {
  settings: { addressPrefix: 0x41 },
  pending: { all: () => [], find: () => undefined, count: 0, offered: 0 },
  peers: { active: 0, inSync: 0, broadcast: () => 0 },
} as unknown as ApiContext;

export function rules(): ChainRules {
  return chainRules(loadConfig({ file: `${golden}/stake/config.conf`, flags: NO_FLAGS }).config);
}

export async function serveLedger(dataDir: string, limits?: StallLimits) {
  const ledger = await openChain(dataDir);
  const app = await createGraphqlServer({ ledger, rules: rules(), api, log: silent, ...(limits && { limits }) });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const address = app.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { ledger, app, port };
}
