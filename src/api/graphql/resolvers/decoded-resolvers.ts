import {
  TransactionContractContractType as ContractType,
  type TriggerSmartContract,
} from '../../../codec/generated/messages.js';
import type { AbiFunction } from '../../../encoding/abi/abi-functions.js';
import type { AbiValue, DecodedParameter } from '../../../encoding/abi/decode-log.js';
import { addressText, wordAddressText } from '../../../encoding/address-text.js';
import { fromHex, toUtf8 } from '../../../primitives/bytes.js';
import { transfersOf } from '../../../projections/indexes/token-transfer.js';
import { ContractAbis, declarationOf } from '../../abi/contract-abis.js';
import { type TokenFacts, tokenFactsOf } from '../../abi/token-facts.js';
import type { ReadBlock, ReadTransaction } from '../../context/read-block.js';
import { assetById } from '../../operations/assets.js';
import type { FoundLog } from '../find-logs.js';
import type { GraphqlSource } from '../graphql-source.js';
import { readAddressScalar } from '../scalars.js';
import { transferNode } from './history-resolvers.js';

/** Returns resolvers of decoded calls and events, of tokens, and of sums over blocks. */
export function decodedResolvers(source: GraphqlSource) {
  const { api, ledger } = source;
  const { addressPrefix } = api.settings;
  const tokens = tokenFactsOf(api);
  const head = source.at;
  const base58 = (hex: string): string => wordAddressText(fromHex(hex), addressPrefix);
  const read = (seq: number) => ({ seq, abis: new ContractAbis(head, source.abis, base58) });
  let known = read(-1);
  /** Returns the ABI cache. Each new block clears the cache, because a transaction can delete the ABI of a contract. */
  const abis = (): ContractAbis => {
    const { seq } = ledger.position;
    if (known.seq !== seq) known = read(seq);
    return known.abis;
  };
  const shown = (of: AbiFunction, parameters: readonly DecodedParameter[]) => ({
    name: of.name,
    declaration: declarationOf(of),
    parameters: parameters.map(({ name, type, value }) => ({ name, type, value: textOf(value) })),
  });
  return {
    Log: {
      event: ({ address, topics, data }: FoundLog) => {
        const named = abis().decode(address, { topics, data });
        return named === undefined ? null : shown(named.event, named.parameters);
      },
    },
    Transaction: {
      call: ({ contract, parameter }: ReadTransaction) => {
        if (contract?.type !== ContractType.TriggerSmartContract || parameter === undefined) return null;
        const { contractAddress, data } = parameter as TriggerSmartContract;
        const named = abis().decodeCall(contractAddress, data);
        return named === undefined ? null : shown(named.function, named.parameters);
      },
      transfers: (transaction: ReadTransaction) => transfersIn(transaction, addressPrefix),
    },
    Block: {
      usage: ({ transactions }: ReadBlock) => {
        const sum = { energy: 0n, bandwidth: 0n };
        for (const { info } of transactions) {
          sum.energy += info?.receipt?.energyUsageTotal ?? 0n;
          sum.bandwidth += info?.receipt?.netUsage ?? 0n;
        }
        return sum;
      },
    },
    Query: {
      token: (_: unknown, { id }: { id: string }) =>
        /^\d{1,19}$/.test(id) ? tokenOfAsset(source, id) : tokenOfContract(tokens, id, addressPrefix),
      network: (_: unknown, { at }: { at?: bigint | null }) => {
        const { state, headNumber } = source.at(at);
        const { properties } = state;
        return {
          height: headNumber,
          energyStake: properties.get('TOTAL_ENERGY_WEIGHT'),
          bandwidthStake: properties.get('TOTAL_NET_WEIGHT'),
          energyLimit: properties.get('TOTAL_ENERGY_CURRENT_LIMIT'),
          bandwidthLimit: properties.get('TOTAL_NET_LIMIT'),
        };
      },
    },
  };
}

function transfersIn({ message, contract, parameter, info, position, id }: ReadTransaction, addressPrefix: number) {
  if (position === undefined) return [];
  const internal = info?.internalTransactions ?? [];
  const { number: blockNumber, index: transactionIndex } = position;
  return transfersOf({ message, contract, parameter, info, internal }, addressPrefix).map((transfer) =>
    transferNode(transfer, { blockNumber, transactionIndex, transactionId: id }),
  );
}

function tokenOfAsset(source: GraphqlSource, id: string) {
  const asset = assetById(source.at(), id);
  if (asset === undefined) return null;
  const name = toUtf8(asset.name);
  return { id, name, symbol: toUtf8(asset.abbr) || name, decimals: asset.precision };
}

/**
 * Returns a token by contract address; null if none exists.
 * @throws {GraphQLError} BAD_VALUE: the address is malformed
 */
function tokenOfContract(tokens: TokenFacts, text: string, addressPrefix: number) {
  const contract = readAddressScalar(text, addressPrefix);
  const { name, symbol, decimals } = tokens.of(contract);
  const isToken = name !== null || symbol !== null || decimals !== null;
  return isToken ? { id: addressText(contract), name, symbol, decimals } : null;
}

/** Returns a decoded value as text. Lists and structs are JSON text. */
function textOf(value: AbiValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
