import type { Chain } from '../../chain/chain.js';
import { produceBlock } from '../../chain/production/produce-block.js';
import { ProducerKeys } from '../../chain/production/producer-keys.js';
import { Transaction } from '../../codec/generated/messages.js';
import { ProtobufError, WireTypeError } from '../../codec/reader.js';
import { P2pError } from '../../p2p/p2p-error.js';
import { checkBlock, decideAnnounced, storedCopyOf } from '../../p2p/receive/block-rules.js';
import { readBlock, readGossipedTransaction } from '../../p2p/receive/read-messages.js';
import { addressBytes } from '../../primitives/address.js';
import { present } from '../../primitives/assert.js';
import { fromHex, toHex } from '../../primitives/bytes.js';
import { TronError } from '../../primitives/errors.js';
import type { StateReader } from '../../projections/state/state-reader.js';
import { findStoreId, type StoreId } from '../../projections/state/stores.js';
import { type DecodedBlock, decodeBlock } from '../../state-transition/block/decoded-block.js';
import { scheduledWitness, slotAt, slotTime } from '../../state-transition/consensus/schedule.js';
import { ChainError } from '../../state-transition/errors.js';
import type { ReleaseTexts } from '../../state-transition/releases/release.js';
import { witnessKeyAddress } from '../../state-transition/state/permissions.js';
import { decodeTransaction } from '../../state-transition/transactions/decode-transaction.js';
import { addReceived, checkBlockHeader, importReceived } from '../peers/ledger-chain.js';
import { allRows, ChangedRows, type RowsByStore } from './changed-rows.js';

/** Request of one input line. `op` is the operation, the other members are its arguments. */
export type DriverRequest = Readonly<Record<string, unknown>> & { readonly op?: unknown };
export type DriverAnswer = Record<string, unknown>;

interface DriveOptions {
  readonly chain: Chain;
  readonly isSorted: boolean;
  /** True to execute the pending transactions again after each block. */
  readonly offersAgain: boolean;
  readonly keys: readonly string[];
}

/** Processing step at which a peer's message failed. */
type Stage = 'parse' | 'check' | 'parent' | 'valid' | 'push';

/** Malformed request. */
export class TestDriverError extends TronError<'BAD_REQUEST'> {
  constructor(message: string) {
    super('BAD_REQUEST', message);
  }
}

/** Executes the operations of `tronicle test-driver`. Returns one answer per request. */
export class TestDriverSession {
  private readonly options: DriveOptions;
  private readonly chain: Chain;
  private readonly changed: ChangedRows;
  private readonly keys: ProducerKeys;

  constructor(options: DriveOptions) {
    this.options = options;
    this.chain = options.chain;
    this.changed = new ChangedRows(options.chain.ledger);
    this.keys = new ProducerKeys(options.chain.state.rules.addressPrefix);
    for (const key of options.keys) this.keys.add(key);
  }

  private describe(error: unknown): DriverAnswer {
    return describeError(error, this.chain.state.rules.release.texts);
  }

  /**
   * Executes a request. If an error is one that a driver expects, the answer describes it.
   * @throws an error that a driver does not expect; the caller must then end the node
   */
  async answer(request: DriverRequest): Promise<DriverAnswer> {
    const operation = typeof request.op === 'string' ? operations[request.op] : undefined;
    try {
      if (operation === undefined) throw new TestDriverError(`unknown operation: ${String(request.op)}`);
      return await operation(this, request);
    } catch (error) {
      return this.describe(error);
    }
  }

  status(): DriverAnswer {
    const { ledger, state } = this.chain;
    const { headNumber, headId } = ledger.position;
    return {
      head: headNumber,
      headId: toHex(headId),
      time: this.committedNumber('latest_block_header_timestamp'),
      solid: this.chain.solidifiedNumber,
      nextMaintenance: state.properties.number('NEXT_MAINTENANCE_TIME'),
    };
  }

  async push(request: DriverRequest): Promise<DriverAnswer> {
    const before = toHex(this.chain.ledger.position.headId);
    const seqBefore = this.chain.ledger.position.seq;
    const answer = this.tryPush(request);
    await this.chain.ledger.flush();
    const moved = toHex(this.chain.ledger.position.headId) !== before;
    Object.assign(answer, this.status(), { moved, queues: this.queueIds() });
    if (request['infos'] === true) answer['infos'] = this.changedResults(seqBefore);
    else if (moved)
      answer['infos'] = toHex(
        present(this.chain.ledger.block(this.chain.ledger.position.headNumber), 'the head is in the log').results,
      );
    if (request['diff'] === true) answer['diff'] = this.changed.take();
    if (request['clear'] === true) this.chain.mempool.clear();
    else this.offerAgain();
    return answer;
  }

  async produce(request: DriverRequest): Promise<DriverAnswer> {
    const { chain } = this;
    chain.mempool.resetToHead();
    const timeMs = numberOf(request, 'time') ?? slotTime(chain.state, (numberOf(request, 'skip') ?? 0) + 1);
    const witness = scheduledWitness(chain.state, slotAt(chain.state, timeMs));
    const { headNumber, headId } = chain.ledger.position;
    const account = chain.state.account(witness);
    const signer = account === undefined ? addressBytes(witness) : witnessKeyAddress(account);
    const key = this.keys.get(signer) ?? this.keys.get(addressBytes(witness));
    if (key === undefined) throw new TestDriverError(`no key for witness ${witness}`);
    const block = produceBlock(chain.state, chain.mempool, {
      witness,
      key,
      timeMs,
      parent: { number: headNumber, id: headId, stateRoot: () => chain.headStateRoot() },
      isSorted: this.options.isSorted,
      isTimeUp: () => false,
    });
    if (block === undefined)
      throw new TestDriverError(`the key of witness ${witness} does not match its witness permission`);
    const answer: DriverAnswer = {
      num: block.number,
      id: block.idHex,
      time: block.timeMs,
      witness,
      txs: block.transactions.length,
      block: toHex(block.bytes),
    };
    if (request['noPush'] === true) return answer;
    chain.importBlock(block, { isOwn: true });
    await chain.ledger.flush();
    answer['infos'] = toHex(present(chain.ledger.block(block.number), 'the block was imported').results);
    answer['solid'] = chain.solidifiedNumber;
    answer['diff'] = this.changed.take();
    this.offerAgain();
    return answer;
  }

  async erase(count: number): Promise<DriverAnswer> {
    const height = this.chain.ledger.position.headNumber - count;
    if (height < 0) throw new TestDriverError(`cannot revert ${count} blocks, because the chain has fewer blocks`);
    while (this.chain.ledger.position.headNumber > height) this.chain.revertHead();
    await this.chain.ledger.flush();
    return this.status();
  }

  async rollback(height: number): Promise<DriverAnswer> {
    const { headNumber } = this.chain.ledger.position;
    if (height < 0 || height > headNumber)
      throw new TestDriverError(`invalid height ${height}; the head is ${headNumber}`);
    this.chain.rollback(height);
    await this.chain.ledger.flush();
    return this.status();
  }

  takeChanges(): RowsByStore {
    return this.changed.take();
  }

  addKey(hex: string): string {
    return this.keys.add(hex);
  }

  queueIds(): { pending: string[]; repush: string[] } {
    const ids = (queue: 'pending' | 'repush'): string[] =>
      this.chain.mempool[queue].values().map(({ transaction }) => transaction.idHex);
    return { pending: ids('pending'), repush: ids('repush') };
  }

  submit(hex: string): DriverAnswer {
    const transaction = decodeTransaction(Transaction.decode(bytesOf(hex)));
    this.chain.mempool.add(transaction);
    return { ok: true, id: transaction.idHex };
  }

  inject(request: DriverRequest): DriverAnswer {
    const transaction = decodeTransaction(Transaction.decode(bytesOf(textOf(request, 'hex'))));
    const queue = request['queue'] === 'repush' ? this.chain.mempool.repush : this.chain.mempool.pending;
    const order = BigInt(numberOf(request, 'order') ?? 0);
    queue.add({ transaction, order, timeMs: Date.now(), isVerified: false });
    return this.status();
  }

  transactionMessage(hex: string): DriverAnswer {
    const bytes = bytesOf(hex);
    const answer: DriverAnswer = {};
    let stage: Stage = 'parse';
    try {
      const transaction = readGossipedTransaction(bytes, this.isFiltered());
      answer['id'] = transaction.idHex;
      const written = toHex(Transaction.encode(transaction.message));
      if (written !== toHex(bytes)) answer['reserialised'] = written;
      stage = 'push';
      addReceived(this.chain, transaction);
      answer['result'] = 'ok';
    } catch (error) {
      Object.assign(answer, { result: 'error', stage }, this.describe(error));
    }
    return answer;
  }

  view(height: number): StateReader {
    return this.chain.ledger.at(height);
  }

  clear(): DriverAnswer {
    this.chain.mempool.clear();
    return this.status();
  }

  dump(): DriverAnswer {
    return { ...this.status(), stores: allRows(this.chain.ledger) };
  }

  head(): StateReader {
    return this.chain.ledger.head;
  }

  private tryPush(request: DriverRequest): DriverAnswer {
    const bytes = bytesOf(textOf(request, 'hex'));
    const answer: DriverAnswer = {};
    let stage: Stage = 'parse';
    try {
      if (request['mode'] !== 'adv') {
        const block = decodeBlock(bytes);
        noteBlock(answer, block);
        stage = 'push';
        this.chain.importBlock(block);
        answer['result'] = 'ok';
        return answer;
      }
      const received = readBlock(bytes, this.isFiltered());
      noteBlock(answer, received);
      const { release } = this.chain.state.rules;
      const now = numberOf(request, 'now') ?? Date.now();
      stage = 'check';
      checkBlock(received, now);
      const block = storedCopyOf(received, release);
      const ruling = decideAnnounced(block, checkBlockHeader(this.chain, block), release, now);
      if (ruling.kind === 'dropped') return Object.assign(answer, { result: 'dropped', stage: ruling.why });
      if (ruling.kind === 'refused') {
        stage = ruling.at;
        throw ruling.error;
      }
      stage = 'push';
      answer['broadcastFirst'] = ruling.isFirst;
      importReceived(this.chain, block);
      answer['result'] = 'ok';
    } catch (error) {
      Object.assign(answer, { result: 'error', stage }, this.describe(error));
    }
    return answer;
  }

  /**
   * Returns the receipts (hex) that the last pushed block changed, by height. A value is null if the chain has no
   * receipts at that height any more.
   * @param seqBefore sequence number of the newest log entry before the push
   */
  private changedResults(seqBefore: number): Record<string, string | null> {
    const { ledger } = this.chain;
    const before = new Map<number, string>();
    for (let seq = ledger.position.seq; seq > seqBefore; seq--) {
      const entry = ledger.entry(seq);
      if (entry.kind === 'applied') before.set(entry.number, '');
      if (entry.kind === 'reverted')
        before.set(entry.number, toHex(ledger.entryOfId(entry.id)?.results ?? new Uint8Array(0)));
    }
    const changed: Record<string, string | null> = {};
    for (const [number, old] of before) {
      const now =
        number <= ledger.position.headNumber
          ? toHex(present(ledger.block(number), 'the log contains each block up to the head').results)
          : '';
      if (now !== old) changed[number] = now === '' ? null : now;
    }
    return changed;
  }

  private isFiltered(): boolean {
    return this.chain.state.properties.isOn('ALLOW_PROTO_FILTER_NUM');
  }

  private offerAgain(): void {
    if (this.options.offersAgain) this.chain.mempool.reinject();
  }

  private committedNumber(name: 'latest_block_header_timestamp'): number {
    return this.chain.state.properties.number(name);
  }
}

type Operation = (session: TestDriverSession, request: DriverRequest) => DriverAnswer | Promise<DriverAnswer>;

const operations: Readonly<Record<string, Operation>> = {
  status: (session) => session.status(),
  tx: (session, request) => session.submit(textOf(request, 'hex')),
  push: (session, request) => session.push(request),
  key: (session, request) => ({ address: session.addKey(textOf(request, 'key')) }),
  block: (session, request) => session.produce(request),
  diff: (session) => ({ diff: session.takeChanges() }),
  dump: (session) => session.dump(),
  get: (session, request) => ({ value: valueIn(session.head(), request) }),
  queues: (session) => ({ queues: session.queueIds() }),
  inject: (session, request) => session.inject(request),
  clear: (session) => session.clear(),
  erase: (session, request) => session.erase(numberOf(request, 'n') ?? 1),
  txmsg: (session, request) => session.transactionMessage(textOf(request, 'hex')),
  rollback: (session, request) => session.rollback(numberOf(request, 'to') ?? 0),
  at: (session, request) => readAt(session, request),
};

function readAt(session: TestDriverSession, request: DriverRequest): DriverAnswer {
  const view = session.view(numberOf(request, 'height') ?? 0);
  if (typeof request['prefix'] !== 'string') return { value: valueIn(view, request) };
  const rows: Record<string, string> = {};
  for (const { key, value } of view.range(storeOf(request), { prefix: bytesOf(request['prefix']) })) {
    rows[toHex(key)] = toHex(value);
  }
  return { rows };
}

function valueIn(view: StateReader, request: DriverRequest): string | null {
  const value = view.get(storeOf(request), bytesOf(textOf(request, 'key')));
  return value === undefined ? null : toHex(value);
}

function storeOf(request: DriverRequest): StoreId {
  const name = textOf(request, 'store');
  const id = findStoreId(name);
  if (id === undefined) throw new TestDriverError(`no such store: ${name}`);
  return id;
}

function noteBlock(answer: DriverAnswer, block: DecodedBlock): void {
  answer['id'] = block.idHex;
  answer['num'] = block.number;
}

/** Returns the answer that describes an error, with the error texts of the release. */
function describeError(error: unknown, { refusals }: ReleaseTexts): DriverAnswer {
  if (error instanceof P2pError) {
    const { cause, code, message } = error;
    const why = cause instanceof ChainError ? { cause: cause.exception, causeMessage: cause.text } : {};
    return {
      error: 'P2pException',
      type: Object.hasOwn(refusals, code) ? refusals[code as keyof typeof refusals] : code,
      message,
      ...why,
    };
  }
  if (error instanceof ChainError) return { error: error.exception, message: error.text };
  if (error instanceof ProtobufError) {
    const name = error instanceof WireTypeError ? 'InvalidWireTypeException' : 'InvalidProtocolBufferException';
    return { error: name, message: error.message };
  }
  if (error instanceof TronError) return { error: error.name, message: error.message };
  throw error;
}

function textOf(request: DriverRequest, name: string): string {
  const value = request[name];
  if (typeof value !== 'string') throw new TestDriverError(`missing argument ${name}`);
  return value;
}

function numberOf(request: DriverRequest, name: string): number | undefined {
  const value = request[name];
  if (value === undefined) return undefined;
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new TestDriverError(`invalid number in ${name}`);
  return value;
}

function bytesOf(hex: string): Uint8Array {
  if (!/^([0-9a-f]{2})*$/i.test(hex)) throw new TestDriverError('invalid hex');
  return fromHex(hex);
}
