import { routesOf, type ServedRoute } from '../../../src/api/http/route-table.js';
import type { ApiRelease } from '../../../src/api/releases/api-release.js';
import { servicesOf } from '../../../src/api/rpc-services.js';
import { httpContexts, type ServerName, serverNames } from '../../../src/api/servers.js';
import type { Chain } from '../../../src/chain/chain.js';
import { type FieldDescriptor, type MessageType, messageTypeOf } from '../../../src/codec/descriptor.js';
import {
  TransactionContractContractType as ContractType,
  type DelegatedResource,
  Transaction,
  TriggerSmartContract,
} from '../../../src/codec/generated/messages.js';
import { encodeBase58Check } from '../../../src/crypto/base58-check.js';
import { interfaceRows } from '../../../src/encoding/contract-types/contract-interfaces.js';
import { printMessage } from '../../../src/encoding/json/print-message.js';
import { printTransaction } from '../../../src/encoding/json/print-transaction.js';
import { type Address, addressBytes } from '../../../src/primitives/address.js';
import { itemAt, present } from '../../../src/primitives/assert.js';
import { fromInt64, toHex, toUtf8, utf8 } from '../../../src/primitives/bytes.js';
import { decodeBlock } from '../../../src/state-transition/block/decoded-block.js';
import { contractRows } from '../../../src/state-transition/system-contracts/table.js';
import { everybody } from '../differential/actors.js';
import { callProxy, callRandom, runAgain } from '../differential/families/contracts.js';
import { tried } from '../differential/families/families.js';
import { underPermission } from '../differential/families/permissions.js';
import { proxyRuntime } from '../differential/proxy-code.js';
import type { RandomChoices } from '../differential/random-choices.js';
import { Scene } from '../differential/scene.js';
import { type Draft, seal } from '../differential/sealed-transaction.js';
import { rpcQuestion } from './chain-rpc-questions.js';
import type { Question } from './question.js';

const ADDRESS_PREFIX = 0x41;
const CALLS = ['triggerconstantcontract', 'estimateenergy'];
const CALL_RPCS = ['TriggerConstantContract', 'EstimateEnergy'];
/** Matches operations whose arguments do not name parts of the chain, or that are created separately. */
const EXCLUDED =
  /merkle|isspend|shield|zen|key|diversifier|rcm|note|spend|node|stats|broadcast|pending|ask$|nsk$|common|deploy|weight|approved|trigger|estimate/i;
const ACCOUNT_IDS = ['account1', 'Account1', 'ACCOUNT2', 'identity1', 'identity2'];

/** Ids and numbers in the chain that requests can contain. */
interface Known {
  readonly blocks: readonly Uint8Array[];
  readonly transactions: readonly Uint8Array[];
  readonly orders: readonly Uint8Array[];
  readonly addresses: readonly Uint8Array[];
  readonly delegations: readonly DelegatedResource[];
  /** Times at which unfrozen amounts can be withdrawn, and other times, in ms. */
  readonly times: readonly bigint[];
}

/** Choices that several arguments of one request share. */
interface Choices {
  readonly from: Uint8Array;
  readonly to: Uint8Array;
  readonly block: number;
  readonly visible: boolean;
}

/** Creates well-formed requests about accounts, contracts, blocks and other parts of a chain. */
export class ChainQuestions {
  private readonly random: RandomChoices;
  private readonly release: ApiRelease;
  private readonly scene: Scene;
  private readonly known: Known;
  private readonly routes: readonly (readonly [ServerName, ServedRoute])[];
  private readonly rpcs: readonly (readonly [ServerName, path: string, MessageType<object>])[];

  constructor(chain: Chain, random: RandomChoices, release: ApiRelease) {
    this.random = random;
    this.release = release;
    this.scene = new Scene(chain, random);
    const contracts = [...chain.state.contracts.range('')].map(([key]) => key as Address);
    this.scene.contracts.push(...contracts);
    const isProxy = (key: Address): boolean => chain.state.code.get(key)?.length === proxyRuntime.length;
    this.scene.proxies.push(...contracts.filter(isProxy));
    this.known = knownOf(chain);
    const builders = new Set(interfaceRows().flatMap(([, { http }]) => (http === 'none' ? [] : [http.family])));
    this.routes = serverNames.flatMap((server) =>
      [...routesOf(server, release).values()]
        .filter(({ name, family }) => !EXCLUDED.test(name) && !builders.has(family))
        .map((route) => [server, route] as const),
    );
    this.rpcs = serverNames.flatMap((server) =>
      servicesOf(server).flatMap(([service, rpcs]) =>
        Object.entries(rpcs)
          .filter(([name, { request }]) => !EXCLUDED.test(name) && !/(Contract|Transaction)$/.test(request.$name))
          .map(([name, { request }]) => [server, `protocol.${service}/${name}`, request] as const),
      ),
    );
  }

  make(): Question {
    const share = this.random.below(100);
    if (share < 35) return this.read();
    if (share < 55) return this.readOverGrpc();
    if (share < 72) return this.build();
    if (share < 88) return this.call();
    if (share < 94) return rpcQuestion(this.random, this.known, this.scene.contract());
    return this.weigh();
  }

  private address(): Uint8Array {
    const { random, known } = this;
    return random.chance(0.02) ? Uint8Array.of(ADDRESS_PREFIX, ...random.bytes(20)) : random.pick(known.addresses);
  }

  private choose(visible: boolean): Choices {
    const { random, known } = this;
    const block = random.below(known.blocks.length + 1);
    if (known.delegations.length === 0 || random.chance(0.4))
      return { from: this.address(), to: this.address(), block, visible };
    const { from, to } = random.pick(known.delegations);
    return { from, to, block, visible };
  }

  /** Returns a request that reads a part of the chain over HTTP. */
  private read(): Question {
    const { random } = this;
    const [server, { path, name, reads }] = random.pick(this.routes);
    const choices = this.choose(random.chance(0.5));
    const arguments_ = Object.entries(reads).map(
      ([key, kind]) => [key, this.argument(name, key, kind, choices)] as const,
    );
    const body = { visible: choices.visible, ...Object.fromEntries(arguments_) };
    if (random.chance(0.75)) return posted(server, path, JSON.stringify(body));
    const text = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : `${value}`);
    const query = Object.entries(body).map(([key, value]) => `${key}=${encodeURIComponent(text(value))}`);
    return { protocol: 'http', server, method: 'GET', path: `${path}?${query.join('&')}` };
  }

  /** Returns the JSON value of an argument. @param operation name of the operation, in lower case */
  private argument(operation: string, name: string, kind: string, choices: Choices): unknown {
    const { random } = this;
    const { visible, block } = choices;
    if (name === 'account_identifier') return { address: shownAddress(this.address(), visible) };
    if (name === 'block_identifier') return { hash: this.hashOf(block), number: block };
    if (name === 'hash') return this.hashOf(block);
    if (name === 'id_or_num') return random.chance(0.5) ? `${block}` : this.hashOf(block);
    if (name === 'detail') return random.chance(0.5);
    if (name === 'fromAddress') return shownAddress(choices.from, visible);
    if (name === 'toAddress') return shownAddress(choices.to, visible);
    if (kind.startsWith('address') || name === 'address') return shownAddress(this.address(), visible);
    if (kind === 'int64' || kind === 'int64!' || kind === 'int32') return Number(this.number(operation, name, choices));
    const bytes = this.bytes(operation, name);
    const isText = /asset|accountbyid/.test(operation) || name.endsWith('token_id');
    return isText && (visible || kind.startsWith('text')) ? toUtf8(bytes) : toHex(bytes);
  }

  private hashOf(block: number): string {
    const { blocks } = this.known;
    return toHex(itemAt(blocks, Math.min(block, blocks.length - 1)));
  }

  private number(operation: string, name: string, { block }: Choices): bigint {
    const { random, known } = this;
    if (name === 'offset') return BigInt(random.pick([0, 0, 1, 2, 5, 50]));
    if (name === 'limit') return BigInt(random.pick([0, 1, 2, 10, 1000, 1001]));
    if (name === 'type') return BigInt(random.pick([0, 0, 1, 1, 2]));
    if (name === 'id') return BigInt(random.below(6));
    if (name === 'timestamp') return random.pick(known.times) + BigInt(random.between(-1, 1));
    if (operation.includes('latestnum')) return BigInt(random.pick([1, 2, 5, 99, 100]));
    return BigInt(name === 'endNum' ? block + random.pick([0, 1, 2, 10, 99, 100, 101]) : block);
  }

  private bytes(operation: string, name: string): Uint8Array {
    const { random, known, scene } = this;
    if (name === 'account_id') return utf8(random.pick(ACCOUNT_IDS));
    if (name.endsWith('token_id') || operation.endsWith('assetissuebyid')) return scene.token();
    if (operation.includes('assetissue') && name === 'value') return utf8(`tok${random.below(12)}`);
    if (/proposal|exchange/.test(operation)) return fromInt64(BigInt(random.below(6)));
    if (operation.includes('orderbyid') && known.orders.length > 0) return random.pick(known.orders);
    if (operation.includes('transaction')) return random.pick(known.transactions);
    return operation.includes('block') ? random.pick(known.blocks) : this.address();
  }

  /** Returns a request that reads a part of the chain over gRPC. */
  private readOverGrpc(): Question {
    const [server, path, request] = this.random.pick(this.rpcs);
    const operation = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
    const message = this.filled(request, operation, this.choose(false));
    return { protocol: 'grpc', server, method: 'unary', path, body: Buffer.from(request.encode(message)) };
  }

  private filled(type: MessageType<object>, operation: string, choices: Choices): object {
    const message = new type();
    const isFilled = ({ name, repeated }: FieldDescriptor): boolean =>
      repeated !== true && (type.$name !== 'protocol.Account' || name === 'address' || name === 'account_id');
    const values = type.$fields
      .filter(isFilled)
      .map((field) => [field.prop, this.fieldValue(field, operation, choices)] as const)
      .filter(([, value]) => value !== undefined);
    return Object.assign(message, Object.fromEntries(values));
  }

  private fieldValue(field: FieldDescriptor, operation: string, choices: Choices): unknown {
    const { name, kind } = field;
    if (kind === 'message') return this.filled(messageTypeOf(field), operation, choices);
    if (kind === 'bool') return this.random.chance(0.5);
    if (kind === 'string') return this.argument(operation, name, 'text', choices);
    if (kind === 'int64') return this.number(operation, name, choices);
    if (kind === 'int32') return Number(this.number(operation, name, choices));
    if (kind !== 'bytes') return undefined;
    if (name === 'fromAddress') return choices.from;
    if (name === 'toAddress') return choices.to;
    if (name === 'hash') return Buffer.from(this.hashOf(choices.block), 'hex');
    return /address/i.test(name) ? this.address() : this.bytes(operation, name);
  }

  private draft(): Draft {
    for (;;) {
      const [, family] = this.random.pick(tried);
      const made = family(this.scene);
      if (made !== undefined) return made;
    }
  }

  /** Returns a request that builds a transaction of a random kind. */
  private build(): Question {
    const { random } = this;
    for (;;) {
      const { type, value } = this.draft();
      const [, row] = interfaceRows().find(([name]) => name === type) ?? [];
      const message = contractRows.get(ContractType[type])?.message;
      if (row === undefined || message === undefined || row.http === 'none') continue;
      if (random.chance(0.35) && row.rpc !== 'none')
        return grpc('fullnode', random.pick(Object.values(row.rpc)), value);
      const visible = random.chance(0.5);
      const text = printMessage(message.decode(value), visible, this.release.json);
      const more = [`"visible":${visible}`];
      if (random.chance(0.3)) more.push(`"Permission_id":${random.below(4)}`);
      if (random.chance(0.2)) more.push(`"extra_data":"${visible ? 'memo' : '6d656d6f'}"`);
      return posted('fullnode', `/wallet/${row.http.path}`, withMembers(text, more));
    }
  }

  /**
   * Returns a constant call of a contract, or an estimate of its energy. If there is no suitable contract, returns a
   * request that reads a part of the chain.
   */
  private call(): Question {
    const { random, scene } = this;
    const made = random.pick([callProxy, callProxy, callProxy, callRandom, runAgain])(scene);
    if (made?.type !== 'TriggerSmartContract') return this.read();
    const server = random.pick(serverNames);
    const kind = random.below(3);
    if (kind === 0) {
      const names = server === 'fullnode' ? [...CALL_RPCS, 'TriggerContract'] : CALL_RPCS;
      return grpc(server, random.pick(names), made.value);
    }
    const { ownerAddress, contractAddress, callValue, data, callTokenValue, tokenId } = TriggerSmartContract.decode(
      made.value,
    );
    if (kind === 1) {
      const [from, to] = [ownerAddress, contractAddress].map((bytes) => `0x${toHex(bytes.subarray(1))}`);
      const value = callValue > 0n ? { value: `0x${callValue.toString(16)}` } : {};
      const request = { from, to, data: `0x${toHex(data)}`, ...value };
      const isCall = random.chance(0.5);
      const [method, params] = isCall ? ['eth_call', [request, 'latest']] : ['eth_estimateGas', [request]];
      return posted(server, '/jsonrpc', JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), 'jsonrpc');
    }
    const visible = random.chance(0.5);
    const body = {
      visible,
      owner_address: shownAddress(ownerAddress, visible),
      contract_address: shownAddress(contractAddress, visible),
      data: toHex(data),
      call_value: Number(callValue),
      call_token_value: Number(callTokenValue),
      token_id: Number(tokenId),
    };
    const names = server === 'fullnode' ? [...CALLS, 'triggersmartcontract'] : CALLS;
    return posted(server, `${httpContexts[server]}${random.pick(names)}`, JSON.stringify(body));
  }

  /** Returns a request for the signature weight or the signers of a transaction. */
  private weigh(): Question {
    const { random, scene } = this;
    const plain = this.draft();
    const transaction = seal(scene.chain, random, underPermission(scene, itemAt(plain.signers, 0), plain));
    if (random.chance(0.4)) {
      const name = random.pick(['GetTransactionSignWeight', 'GetTransactionApprovedList']);
      return grpc('fullnode', name, Transaction.encode(transaction));
    }
    const visible = random.chance(0.5);
    const text = printTransaction(transaction, { visible, release: this.release, addressPrefix: ADDRESS_PREFIX });
    const path = `/wallet/${random.pick(['getsignweight', 'getapprovedlist'])}`;
    return posted('fullnode', path, withMembers(text, [`"visible":${visible}`]));
  }
}

function knownOf({ ledger, state }: Chain): Known {
  const blocks = Array.from({ length: ledger.position.headNumber + 1 }, (_, number) =>
    decodeBlock(present(ledger.block(number), 'the log has every block').block),
  );
  const accounts = [...state.accounts.range('')];
  const times = accounts.flatMap(([, { unfrozenV2 }]) =>
    unfrozenV2.map(({ unfreezeExpireTime }) => unfreezeExpireTime),
  );
  return {
    blocks: blocks.map(({ id }) => id),
    transactions: blocks.flatMap(({ transactions }) => transactions.map(({ id }) => id)),
    orders: [...state.marketOrders.range('')].map(([, { orderId }]) => orderId),
    addresses: [...everybody.map(({ bytes }) => bytes), ...accounts.map(([key]) => addressBytes(key as Address))],
    delegations: [...state.delegatedResources.range('')].map(([, row]) => row),
    times: [...times, state.properties.get('latest_block_header_timestamp'), 0n],
  };
}

function shownAddress(bytes: Uint8Array, visible: boolean): string {
  return visible ? encodeBase58Check(bytes) : toHex(bytes);
}

function posted(server: ServerName, path: string, text: string, protocol: 'http' | 'jsonrpc' = 'http'): Question {
  return { protocol, server, method: 'POST', path, contentType: 'application/json', body: Buffer.from(text) };
}

function grpc(server: ServerName, name: string, message: Uint8Array): Question {
  const service = server === 'fullnode' ? 'Wallet' : 'WalletSolidity';
  return { protocol: 'grpc', server, method: 'unary', path: `protocol.${service}/${name}`, body: Buffer.from(message) };
}

/** Appends members to the text of a JSON object. */
function withMembers(text: string, members: readonly string[]): string {
  return text.replace(/}$/, `${text === '{}' ? '' : ','}${members.join(',')}}`);
}
