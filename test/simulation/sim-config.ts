import { createHash } from 'node:crypto';
import { encodeBase58Check } from '../../src/crypto/base58-check.js';
import { keyAddress } from '../../src/crypto/key-address.js';
import { toHex } from '../../src/primitives/bytes.js';

const PREFIX = 0x41;

/** An account whose key is derived from its name. */
export interface SimAccount {
  readonly address: string;
  readonly bytes: Uint8Array;
  readonly privateKey: string;
}

const kept = new Map<string, SimAccount>();

function account(name: string): SimAccount {
  let found = kept.get(name);
  if (found === undefined) {
    const key = createHash('sha256').update(`tronicle simulation ${name}`).digest();
    const bytes = keyAddress(key, PREFIX);
    found = { address: encodeBase58Check(bytes), bytes, privateKey: toHex(key) };
    kept.set(name, found);
  }
  return found;
}

export const witnessOf = (at: number): SimAccount => account(`witness ${at}`);
export const payerOf = (at: number): SimAccount => account(`payer ${at}`);
export const PAYERS = 4;
export const NETWORK = 20_261_123;
export const PORT = 18_888;

/** Returns the configuration file with genesis and rules of a simulated network. */
export function configText(network: {
  genesisMs: number;
  witnesses: number;
  maintenanceMs: number;
  release: string;
}): string {
  const { genesisMs, witnesses, maintenanceMs, release } = network;
  const asset = (name: string, address: string, balance: string): string =>
    `{ accountName = "${name}", accountType = "AssetIssue", address = "${address}", balance = "${balance}" }`;
  const assets = [
    asset('Zion', account('zion').address, '1000000000000000'),
    asset('Blackhole', account('blackhole').address, '-9223372036854775808'),
    ...Array.from({ length: PAYERS }, (_, at) => asset(`payer${at}`, payerOf(at).address, '1000000000000000')),
  ];
  const voted = Array.from(
    { length: witnesses },
    (_, at) => `{ address = "${witnessOf(at).address}", url = "http://${at}", voteCount = ${1000 - at} }`,
  );
  return `net.type = mainnet
crypto.engine = "eckey"
genesis.block {
  timestamp = "${genesisMs}"
  parentHash = "0x0000000000000000000000000000000000000000000000000000000000000000"
  assets = [ ${assets.join('\n')} ]
  witnesses = [ ${voted.join('\n')} ]
}
block { maintenanceTimeInterval = ${maintenanceMs}, proposalExpireTime = 600000 }
storage { transHistory.switch = "on", checkpoint.version = 2 }
node {
  minParticipationRate = 0, discovery.enable = false, p2p.version = ${NETWORK}
  isOpenFullTcpDisconnect = false
}
committee { allowMultiSign = 1, allowSameTokenName = 1, changedDelegation = 1 }
tronicle { release = "${release}", check = "off", threads.signatures = 1 }
`;
}
