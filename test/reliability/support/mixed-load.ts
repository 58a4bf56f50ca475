import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, credentials } from '@grpc/grpc-js';
import secp256k1 from 'secp256k1';
import { encodeBase58Check } from '../../../src/crypto/base58-check.js';
import { fromHex } from '../../../src/primitives/bytes.js';
import { errorText } from '../../../src/primitives/errors.js';
import type { Account, Devnet } from '../../support/devnet.js';
import { untilServed } from '../../support/until.js';
import { WebSocket } from '../../support/web-socket.js';

/** Contract that stores its argument under the key of the same value, and logs it. Init code, then its 17 bytes. */
const CONTRACT = '6011600c60003960116000f3600435808055600052604260206000a100';
/** The contract is called with this number of different arguments, so that the size of the state is limited. */
const ARGUMENTS = 256;
const FEE_LIMIT = 1_000_000_000;
/** Blocks of a range that is read. */
const RANGE = 20;
/** Maximum time in ms that a subscription stays open, or that a half request waits for its end. */
const OPEN_MS = 2000;
/** Ids of transactions that lookups use. */
const IDS = 200;

interface Unsigned {
  readonly txID: string;
  readonly contract_address?: string;
}

/** Number of requests by kind. */
export type LoadCounts = Readonly<Record<string, number>>;

/**
 * Clients of all interfaces of a private network: transactions, reads, subscriptions, and clients that behave badly.
 * Each client sends its next request after the answer to the last one.
 */
export class MixedLoad {
  /** Ids of all accepted transactions. */
  readonly accepted: string[] = [];
  private readonly devnet: Devnet;
  private readonly random: () => number;
  private readonly counted: Record<string, number> = {};
  private readonly accounts: readonly Account[];
  private readonly grpc: Client;
  private contract = '';
  private isRunning = false;
  private clients: readonly Promise<void>[] = [];
  private readonly failures: unknown[] = [];

  constructor(devnet: Devnet, random: () => number) {
    this.devnet = devnet;
    this.random = random;
    this.accounts = devnet.accounts;
    this.grpc = new Client(`127.0.0.1:${devnet.port(50051)}`, credentials.createInsecure());
  }

  get counts(): LoadCounts {
    return this.counted;
  }

  /** Deploys the contract that the clients call. */
  async prepare(): Promise<void> {
    const [owner] = this.accounts as [Account];
    const unsigned = await this.devnet.post<Unsigned>('/wallet/deploycontract', {
      owner_address: owner.address,
      visible: true,
      bytecode: CONTRACT,
      abi: '[]',
      fee_limit: FEE_LIMIT,
      origin_energy_limit: 1,
      consume_user_resource_percent: 100,
    });
    await this.send(unsigned, owner);
    // The answer has this address in hex, even with `visible`.
    this.contract = encodeBase58Check(fromHex(unsigned.contract_address!));
    await untilServed('the contract', async () => {
      const { bytecode } = await this.devnet.post<{ readonly bytecode?: string }>('/wallet/getcontract', {
        value: this.contract,
        visible: true,
      });
      return bytecode !== undefined;
    });
  }

  start(clients: number): void {
    this.isRunning = true;
    this.clients = Array.from({ length: clients }, () =>
      this.run().catch((error: unknown) => {
        this.failures.push(error);
      }),
    );
  }

  /**
   * Stops all clients, and waits for their last answers.
   * @throws {Error} a client got a wrong answer
   */
  async stop(): Promise<void> {
    this.isRunning = false;
    await Promise.all(this.clients);
    if (this.failures.length > 0) throw this.failures[0];
  }

  close(): void {
    this.grpc.close();
  }

  private async run(): Promise<void> {
    const kinds = Object.entries(this.kinds);
    while (this.isRunning) {
      const [name, send] = this.one(kinds);
      await send().catch((cause: Error) => {
        throw new Error(`${name}: ${errorText(cause)}`, { cause });
      });
      this.counted[name] = (this.counted[name] ?? 0) + 1;
    }
  }

  /** Requests by kind. Each is as frequent as the others. */
  private readonly kinds: Readonly<Record<string, () => Promise<void>>> = {
    transfer: async () => {
      const [from, to] = [this.one(this.accounts), this.one(this.accounts)];
      if (from === to) return;
      const body = { owner_address: from.address, to_address: to.address, amount: 1 + this.below(1e6), visible: true };
      await this.send(await this.devnet.post<Unsigned>('/wallet/createtransaction', body), from);
    },
    call: async () => {
      const from = this.one(this.accounts);
      const call = { ...this.contractCall(from), fee_limit: FEE_LIMIT };
      const answer = await this.devnet.post<{ readonly transaction?: Unsigned }>('/wallet/triggersmartcontract', call);
      await this.send(answer.transaction, from);
    },
    constant: async () => {
      const call = this.contractCall(this.one(this.accounts));
      const answer = await this.devnet.post<{ readonly result?: { readonly result?: boolean } }>(
        '/wallet/triggerconstantcontract',
        call,
      );
      if (answer.result?.result !== true) throw new Error(`the call failed: ${JSON.stringify(answer)}`);
    },
    read: async () => {
      const { address } = this.one(this.accounts);
      await this.devnet.post('/wallet/getaccount', { address, visible: true });
      await this.devnet.post('/wallet/getnowblock', {});
      if (this.accepted.length > 0)
        await this.devnet.post('/wallet/gettransactioninfobyid', { value: this.one(this.accepted.slice(-IDS)) });
    },
    page: async () => {
      const url = `http://127.0.0.1:${this.devnet.port(8090)}/v1/accounts/${this.one(this.accounts).address}`;
      await (await fetch(`${url}/transactions?limit=20`)).arrayBuffer();
    },
    jsonRpc: async () => {
      const head = Number(await this.devnet.rpc<string>('eth_blockNumber'));
      const number = `0x${(head - this.below(Math.min(head, RANGE))).toString(16)}`;
      await this.devnet.rpc('eth_getBlockByNumber', [number, true]);
      await this.devnet.rpc('eth_getLogs', [{ fromBlock: number, toBlock: 'latest' }]);
    },
    filter: async () => {
      const filter = await this.devnet.rpc<string>('eth_newFilter', [{}]);
      await this.devnet.rpc('eth_getFilterChanges', [filter]);
      // Some clients never remove their filter. The node removes it after a time without requests.
      if (this.random() < 0.5) await this.devnet.rpc('eth_uninstallFilter', [filter]);
    },
    graphql: async () => {
      const query = `{ blocks(last: ${1 + this.below(RANGE)}) { nodes { number transactions { id } } } }`;
      await (await this.graphql(query)).arrayBuffer();
    },
    grpc: () =>
      new Promise((resolve, reject) => {
        const bytes = (value: Buffer): Buffer => value;
        const method = '/protocol.Wallet/GetNowBlock2';
        this.grpc.makeUnaryRequest(method, bytes, bytes, Buffer.alloc(0), (error) =>
          error ? reject(error) : resolve(),
        );
      }),
    subscription: async () => {
      const socket = new WebSocket(`ws://127.0.0.1:${this.devnet.port(8080)}/graphql`, 'graphql-transport-ws');
      socket.on('open', () => {
        const query = 'subscription { transactions(finality: APPLIED) { cursor transaction { id data } } }';
        socket.send(JSON.stringify({ type: 'connection_init' }));
        socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query } }));
      });
      await this.leave(socket);
    },
    heads: async () => {
      const socket = new WebSocket(`ws://127.0.0.1:${this.devnet.port(8545)}/jsonrpc`);
      socket.on('open', () =>
        socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['newHeads'] })),
      );
      await this.leave(socket);
    },
    malformed: async () => {
      const port = this.devnet.port(this.one([8090, 8545, 8080]));
      const path = this.one(['wallet/getaccount', 'jsonrpc', 'graphql', 'no/such/path']);
      const body = this.one(['{', '[]', '{"address": 1e400}', '\u0000', '{"query": "{ a { b"}']);
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(`http://127.0.0.1:${port}/${path}`, { method: 'POST', body, headers });
      await answer.arrayBuffer();
    },
    half: async () => {
      const socket = connect(this.devnet.port(this.one([8090, 8545, 50051])), '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write('POST /wallet/getaccount HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n{');
      await sleep(this.below(OPEN_MS));
      socket.destroy();
    },
  };

  private contractCall({ address }: Account): object {
    return {
      owner_address: address,
      contract_address: this.contract,
      function_selector: 'store(uint256)',
      parameter: this.below(ARGUMENTS).toString(16).padStart(64, '0'),
      visible: true,
    };
  }

  private async send(unsigned: Unsigned | undefined, { privateKey }: Account): Promise<void> {
    const { txID } = unsigned ?? {};
    if (txID === undefined) throw new Error(`no transaction was built: ${JSON.stringify(unsigned)}`);
    const { signature, recid } = secp256k1.ecdsaSign(Buffer.from(txID, 'hex'), Buffer.from(privateKey, 'hex'));
    const signed = Buffer.concat([signature, Buffer.of(27 + recid)]).toString('hex');
    const body = { ...unsigned, signature: [signed] };
    const sent = await this.devnet.post<{ readonly result?: boolean; readonly code?: string }>(
      '/wallet/broadcasttransaction',
      body,
    );
    if (sent.result === true) this.accepted.push(txID);
    // Two clients can send the same transfer at the same time.
    else if (sent.code !== 'DUP_TRANSACTION_ERROR')
      throw new Error(`a transaction was refused: ${JSON.stringify(sent)}`);
  }

  private graphql(query: string): Promise<Response> {
    return fetch(`http://127.0.0.1:${this.devnet.port(8080)}/graphql`, {
      method: 'POST',
      body: JSON.stringify({ query }),
      headers: { 'content-type': 'application/json' },
    });
  }

  /** Disconnects a subscriber after some time. Some subscribers stop reading before. */
  private async leave(socket: WebSocket): Promise<void> {
    socket.on('error', () => undefined);
    await sleep(this.below(OPEN_MS));
    if (this.random() < 0.5) socket.pause();
    await sleep(this.below(OPEN_MS));
    socket.terminate();
  }

  private below(limit: number): number {
    return Math.floor(this.random() * limit);
  }

  private one<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)]!;
  }
}
