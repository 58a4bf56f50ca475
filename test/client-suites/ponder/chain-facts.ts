import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TronWeb } from 'tronweb';
import type { PonderFacts } from './ponder-process.js';

interface Deployed {
  /** Address of 20 bytes, in hex with 0x. */
  readonly address: string;
  readonly block: number;
}

/** The deployed contracts of the example. */
export interface Deployment {
  readonly token: Deployed;
  readonly factory: Deployed;
}

/** An item in the answer of `/wallet/gettransactioninfobyblocknum`. */
interface Receipt {
  readonly id: string;
  readonly blockNumber: number;
  readonly receipt: { readonly energy_usage_total?: number };
  readonly log?: readonly { readonly address: string; readonly topics: readonly string[]; readonly data?: string }[];
}

const topicOf = (signature: string): string => String(TronWeb.sha3(signature, false));
const TRANSFER = topicOf('Transfer(address,address,uint256)');
const CREATED = topicOf('VaultCreated(address,address)');
const DEPOSITED = topicOf('Deposited(address,uint256)');
const NO_ACCOUNT = `0x${'0'.repeat(40)}`;

export function readDeployment(folder: string): Deployment {
  return JSON.parse(readFileSync(join(folder, 'deployment.json'), 'utf8')) as Deployment;
}

/** Computes the expected rows of Ponder from the receipts of the node's HTTP interface. @param until last block */
export async function chainFacts(url: string, { token, factory }: Deployment, until: number): Promise<PonderFacts> {
  const transfers: Readonly<Record<string, unknown>>[] = [];
  const balances = new Map<string, bigint>();
  const vaults = new Map<string, { owner: string; deposited: bigint; deposits: number }>();
  const add = (address: string, change: bigint): void => {
    if (address !== NO_ACCOUNT) balances.set(address, (balances.get(address) ?? 0n) + change);
  };
  for (const receipt of await receiptsOf(url, token.block, until)) {
    for (const { address: bare, topics, data } of receipt.log ?? []) {
      const [address, value] = [`0x${bare}`, BigInt(`0x${data ?? '0'}`)];
      const [first = '', second = ''] = topics.slice(1).map((topic) => `0x${topic.slice(-40)}`);
      const vault = vaults.get(address);
      if (address === token.address && topics[0] === TRANSFER) {
        add(first, -value);
        add(second, value);
        transfers.push({
          block: String(receipt.blockNumber),
          transaction: `0x${receipt.id}`,
          from: first,
          to: second,
          value: String(value),
          energy: String(receipt.receipt.energy_usage_total ?? 0),
          balanceAfter: String(balances.get(second)),
        });
      } else if (address === factory.address && topics[0] === CREATED)
        vaults.set(first, { owner: second, deposited: 0n, deposits: 0 });
      else if (vault !== undefined && topics[0] === DEPOSITED)
        vaults.set(address, { ...vault, deposited: vault.deposited + value, deposits: vault.deposits + 1 });
    }
  }
  const inOrder = <T>(map: ReadonlyMap<string, T>): [string, T][] => [...map].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    transfers,
    accounts: inOrder(balances).map(([address, balance]) => ({ address, balance: String(balance) })),
    vaults: inOrder(vaults).map(([address, { owner, deposited, deposits }]) => ({
      address,
      owner,
      deposited: String(deposited),
      deposits,
      total: String(deposited),
    })),
  };
}

async function receiptsOf(url: string, from: number, until: number): Promise<Receipt[]> {
  const receipts: Receipt[] = [];
  for (let num = from; num <= until; num++) {
    const reply = await fetch(`${url}/wallet/gettransactioninfobyblocknum`, {
      method: 'POST',
      body: JSON.stringify({ num }),
    });
    receipts.push(...((await reply.json()) as Receipt[]));
  }
  return receipts;
}
