import { readFileSync } from 'node:fs';
import t, { type Test } from 'tap';
import { TronWeb } from 'tronweb';
import { untilServed } from '../../support/until.js';
import { type Account, FULL_NODE, FUNDS, SOLIDITY_NODE, startPrivateNetwork, WITNESS } from './private-network.js';

const register = JSON.parse(readFileSync(new URL('register.json', import.meta.url), 'utf8')) as {
  readonly name: string;
  readonly bytecode: string;
  readonly abi: never[];
};
const FEE_LIMIT = 1_000_000_000;
const TRX = 1_000_000;

interface Info {
  readonly id: string;
  readonly blockNumber: number;
  readonly contract_address: string;
  readonly receipt: { readonly result?: string; readonly energy_usage_total?: number };
  readonly log?: readonly { readonly address: string; readonly topics: readonly string[]; readonly data: string }[];
}

/** Clients of the node that all parts of this test use. */
interface Session {
  readonly web: TronWeb;
  readonly owner: Account;
  readonly receiver: Account;
  /** Signs and broadcasts a transaction. Resolves when it is in a solidified block. */
  send(built: object): Promise<Info>;
}

t.test('TronWeb works with a private network', async (t) => {
  const [owner, receiver] = (await startPrivateNetwork(t)) as [Account, Account];
  const web = new TronWeb({ fullNode: FULL_NODE, solidityNode: SOLIDITY_NODE, privateKey: owner.privateKey });
  const send = async (built: object): Promise<Info> => {
    const signed = await web.trx.sign(built as never);
    const reply = (await web.trx.sendRawTransaction(signed as never)) as { result?: boolean; txid: string };
    if (reply.result !== true) throw new Error(JSON.stringify(reply));
    return untilServed('the receipt', async () => {
      const info = (await web.trx.getTransactionInfo(reply.txid)) as unknown as Info;
      return info.blockNumber === undefined ? undefined : info;
    });
  };
  const session = { web, owner, receiver, send };
  await t.test('reads the chain and sends transfers', (t) => transfers(t, session));
  await t.test('deploys and calls contracts', (t) => contracts(t, session));
  await t.test('reads histories of /v1', (t) => histories(t, session));
  await t.test('stakes, delegates and votes', (t) => stake(t, session));
  await t.test('changes account permissions', (t) => permissions(t, session));
});

async function transfers(t: Test, { web, owner, receiver, send }: Session): Promise<void> {
  t.match(await web.isConnected(), { fullNode: true, solidityNode: true });
  const block = await web.trx.getCurrentBlock();
  const { number } = block.block_header.raw_data;
  t.equal((await web.trx.getBlockByNumber(number)).blockID, block.blockID);
  t.equal((await web.trx.getBlockByHash(block.blockID)).blockID, block.blockID);
  t.equal((await web.trx.getBlockRange(number - 2, number - 1)).length, 2);
  t.match(await web.trx.getNodeInfo(), { configNodeInfo: { codeVersion: '4.8.2.3' } });
  t.match(await web.trx.listSuperRepresentatives(), [{ address: web.address.toHex(WITNESS) }]);
  t.ok((await web.trx.getChainParameters()).length > 50);
  t.match(await web.trx.getEnergyPrices(), /^0:\d+/);
  t.ok((await web.trx.timeUntilNextVoteCycle()) >= 0);

  const info = await send(await web.transactionBuilder.sendTrx(receiver.address, 3 * TRX, owner.address));
  t.equal(await web.trx.getBalance(receiver.address), FUNDS + 3 * TRX);
  t.equal(await web.trx.getUnconfirmedBalance(receiver.address), FUNDS + 3 * TRX);
  t.match(await web.trx.getTransaction(info.id), { txID: info.id, ret: [{ contractRet: 'SUCCESS' }] });
  t.match(await web.trx.getConfirmedTransaction(info.id), { txID: info.id });
  t.equal((await web.trx.getTransactionFromBlock(info.blockNumber, 0)).txID, info.id);
  t.match(
    await web.trx.sendTransaction(receiver.address, TRX),
    { result: true },
    'built, signed and broadcast in one call',
  );

  const { transactionBuilder } = web;
  const noted = await transactionBuilder.addUpdateData(
    await transactionBuilder.sendTrx(receiver.address, TRX),
    'hello',
    'utf8',
  );
  t.match(await web.trx.getTransaction((await send(noted)).id), { raw_data: { data: web.fromUtf8('hello').slice(2) } });

  const signed = await web.trx.sign(await transactionBuilder.sendTrx(receiver.address, 7 * TRX));
  t.match(await web.trx.sendHexTransaction(hexOf(signed)), { result: true }, 'encoded as protobuf');
  t.match(await refusal(web, signed), { code: 'DUP_TRANSACTION_ERROR', text: 'Dup transaction.' });
  const tooMuch = await web.trx.sign(await transactionBuilder.sendTrx(receiver.address, 2 * FUNDS));
  t.match(await refusal(web, tooMuch), {
    code: 'CONTRACT_VALIDATE_ERROR',
    text: 'Contract validate error : Validate TransferContract error, balance is not sufficient.',
  });
  const forged = await web.trx.sign(await transactionBuilder.sendTrx(receiver.address, TRX));
  forged.signature = tooMuch.signature;
  t.match(await refusal(web, forged), {
    code: 'SIGERROR',
    text: /^Validate signature error: .* but it is not contained of permission\.$/,
  });
}

/** Encodes a signed transaction as protobuf, in hex. Field 1 is the raw data, field 2 the signature. */
function hexOf(signed: { raw_data_hex: string; signature: readonly string[] }): string {
  const field = (tag: string, hex: string): string => {
    const length = hex.length / 2;
    const varint = length < 128 ? [length] : [(length & 127) | 128, length >> 7];
    return `${tag}${varint.map((byte) => byte.toString(16).padStart(2, '0')).join('')}${hex}`;
  };
  return field('0a', signed.raw_data_hex) + field('12', signed.signature[0]!.replace(/^0x/, ''));
}

async function refusal(web: TronWeb, signed: object): Promise<{ code: unknown; text: string }> {
  const { code, message } = (await web.trx.sendRawTransaction(signed as never)) as unknown as {
    code: unknown;
    message: string;
  };
  return { code, text: web.toUtf8(message) };
}

async function contracts(t: Test, { web, owner, receiver, send }: Session): Promise<void> {
  const created = await web.transactionBuilder.createSmartContract(
    { ...register, feeLimit: FEE_LIMIT, parameters: [5], originEnergyLimit: 10_000_000 },
    owner.address,
  );
  const deployed = await send(created);
  t.equal(deployed.receipt.result, 'SUCCESS');
  t.equal(deployed.contract_address, created.contract_address, 'the address that the client computed');
  t.match(await web.trx.getContract(deployed.contract_address), { name: 'Register' });
  t.match(await web.trx.getContractInfo(deployed.contract_address), { contract_state: {} });

  const contract = await web.contract().at(deployed.contract_address);
  const value = async (): Promise<number> => Number(await contract['value']!().call());
  t.equal(await value(), 5, 'the client reads the ABI from the node');
  const estimate = await web.transactionBuilder.estimateEnergy(deployed.contract_address, 'set(uint256)', {}, [
    { type: 'uint256', value: 42 },
  ]);
  const id = (await contract['set']!(42).send({ feeLimit: FEE_LIMIT })) as string;
  const info = await untilServed('the call', async () => {
    const found = (await web.trx.getTransactionInfo(id)) as unknown as Info;
    return found.blockNumber === undefined ? undefined : found;
  });
  t.equal(await value(), 42);
  t.equal(info.receipt.result, 'SUCCESS');
  t.ok(estimate.energy_required >= info.receipt.energy_usage_total!, 'the estimate suffices');
  const [log] = info.log!;
  t.equal(`41${log!.address}`, deployed.contract_address);
  t.equal(`0x${log!.topics[0]}`, web.sha3('Changed(address,uint256)'));
  t.match(web.utils.abi.decodeParams(['by'], ['address'], `0x${log!.topics[1]}`), {
    by: web.address.toHex(owner.address),
  });
  t.equal(Number(web.utils.abi.decodeParams([], ['uint256'], `0x${log!.data}`)[0]), 42);

  const confirmed = await web.transactionBuilder.triggerConfirmedConstantContract(
    deployed.contract_address,
    'value()',
    {},
    [],
    owner.address,
  );
  t.equal(Number.parseInt(confirmed.constant_result![0]!, 16), 42, 'the solidity port returns the same');
  const other = web.transactionBuilder.triggerConstantContract(deployed.contract_address, 'other()', {}, []);
  await t.rejects(other, { message: 'REVERT opcode executed' });
  const none = web.transactionBuilder.triggerConstantContract(receiver.address, 'value()', {}, []);
  await t.rejects(none, { message: 'Smart contract is not exist.' });
  const failed = await send(
    (
      await web.transactionBuilder.triggerSmartContract(
        deployed.contract_address,
        'other()',
        { feeLimit: FEE_LIMIT, txLocal: true },
        [],
      )
    ).transaction,
  );
  t.match(failed, { result: 'FAILED', receipt: { result: 'REVERT' } });
  t.equal(web.toUtf8((failed as unknown as { resMessage: string }).resMessage), 'REVERT opcode executed');

  await send(await web.transactionBuilder.updateSetting(deployed.contract_address, 30));
  const { trx: another } = new TronWeb({ fullHost: FULL_NODE });
  t.match(
    await another.getContract(deployed.contract_address),
    { consume_user_resource_percent: 30 },
    'TronWeb returns its cached copy',
  );
}

/** TronWeb requests histories from its event server, which is the node in this test. */
async function histories(t: Test, { owner, receiver, send }: Session): Promise<void> {
  const nodes = { fullNode: FULL_NODE, solidityNode: SOLIDITY_NODE, eventServer: FULL_NODE };
  const web = new TronWeb({ ...nodes, privateKey: owner.privateKey });
  t.same(await web.isConnected(), { fullNode: true, solidityNode: true, eventServer: true });
  const created = await web.transactionBuilder.createSmartContract(
    { ...register, feeLimit: FEE_LIMIT, parameters: [1] },
    owner.address,
  );
  const { contract_address: hex } = await send(created);
  const address = web.address.fromHex(hex);
  const contract = await web.contract().at(address);
  const ids: string[] = [];
  for (const value of [10, 11, 12]) {
    const id = (await contract['set']!(value).send({ feeLimit: FEE_LIMIT })) as string;
    await untilServed('the call', async () => Object.keys(await web.trx.getTransactionInfo(id)).length > 0);
    ids.push(id);
  }
  const events = await untilServed('the events', async () => {
    const { data } = await web.getEventResult(address, { eventName: 'Changed', onlyConfirmed: true });
    return data?.length === ids.length ? data : undefined;
  });
  t.match(events, [{}, {}, { event_index: 0 }]);
  t.same(
    events.map(({ transaction_id }) => transaction_id),
    [...ids].reverse(),
  );
  const by = `0x${web.address.toHex(owner.address).slice(2)}`;
  t.match(events[0], {
    block_number: Number,
    block_timestamp: Number,
    caller_contract_address: address,
    contract_address: address,
    event_name: 'Changed',
    event: 'Changed(address indexed by, uint256 value)',
    result: { by, value: '12', 0: by, 1: '12' },
    result_type: { by: 'address', value: 'uint256' },
  });
  const values: unknown[] = [];
  let fingerprint: string | undefined;
  do {
    const orderBy = 'block_timestamp,asc';
    const page = await web.event.getEventsByContractAddress(hex, {
      limit: 1,
      orderBy,
      ...(fingerprint && { fingerprint }),
    });
    values.push(...page.data!.map(({ result }) => result['value']));
    fingerprint = page.meta?.fingerprint;
  } while (fingerprint !== undefined);
  t.same(values, ['10', '11', '12'], 'the events of all pages');
  const { block_number: blockNumber, block_timestamp: time } = events[1]!;
  const named = async (options: object): Promise<unknown[]> =>
    (await web.getEventResult(address, options)).data!.map(({ result }) => result['value']);
  t.same(await named({ blockNumber }), ['11']);
  t.same(await named({ minBlockTimestamp: time, maxBlockTimestamp: time }), ['11']);
  t.match((await web.getEventByTransactionID(ids[2]!)).data, [{ transaction_id: ids[2], result: { value: '12' } }]);
  t.match((await web.event.getEventsByBlockNumber(blockNumber)).data, [{ result: { value: '11' } }]);
  t.match(await web.event.getEventsOfLatestBlock({ only_confirmed: true }), { success: true, data: Array });
  await t.rejects(web.getEventResult(address, { limit: 0 }));

  const page = (path: string) => web.eventServer!.request<{ data: readonly { txID?: string }[] }>(path);
  const { id: paid } = await send(await web.transactionBuilder.sendTrx(receiver.address, TRX, owner.address));
  const received = await untilServed('the transfer in the index', async () => {
    const { data } = await page(`v1/accounts/${receiver.address}/transactions?only_to=true&limit=1`);
    return data.some(({ txID }) => txID === paid) && data;
  });
  t.match(received, [{ txID: paid, raw_data: { contract: [{ type: 'TransferContract' }] } }]);
  t.match((await page(`v1/accounts/${owner.address}`)).data, [{ address: web.address.toHex(owner.address) }]);
}

async function stake(t: Test, { web, owner, receiver, send }: Session): Promise<void> {
  const { transactionBuilder } = web;
  const from = owner.address;
  const to = receiver.address;
  await send(await transactionBuilder.freezeBalanceV2(2_000 * TRX, 'ENERGY', from));
  await send(await transactionBuilder.freezeBalanceV2(1_000 * TRX, 'BANDWIDTH', from));
  t.ok((await web.trx.getAccountResources(from)).EnergyLimit > 0);
  t.match(await web.trx.getCanDelegatedMaxSize(from, 'ENERGY'), { max_size: 2_000 * TRX });

  await send(await transactionBuilder.delegateResource(800 * TRX, to, 'ENERGY', from));
  await send(await transactionBuilder.delegateResource(300 * TRX, to, 'BANDWIDTH', from, true, 50_000));
  t.ok((await web.trx.getAccountResources(to)).EnergyLimit > 0);
  t.ok((await web.trx.getBandwidth(to)) > 600, 'more than the free bandwidth of 600');
  t.match(await web.trx.getDelegatedResourceAccountIndexV2(from), { toAccounts: [web.address.toHex(to)] });
  const { delegatedResource } = await web.trx.getDelegatedResourceV2(from, to);
  t.equal(delegatedResource.length, 2, 'locked and unlocked stake');
  t.match(delegatedResource, [
    { frozen_balance_for_energy: 800 * TRX },
    { frozen_balance_for_bandwidth: 300 * TRX, expire_time_for_bandwidth: Number },
  ]);
  await send(await transactionBuilder.undelegateResource(800 * TRX, to, 'ENERGY', from));
  t.equal((await web.trx.getDelegatedResourceV2(from, to)).delegatedResource.length, 1);

  await send(await transactionBuilder.vote({ [WITNESS]: 1_500 }, from));
  t.match(await web.trx.getAccount(from), { votes: [{ vote_address: web.address.toHex(WITNESS), vote_count: 1_500 }] });
  t.type(await web.trx.getReward(from), 'number');
  t.type(await web.trx.getBrokerage(WITNESS), 'number');

  await send(await transactionBuilder.unfreezeBalanceV2(500 * TRX, 'ENERGY', from));
  t.match(await web.trx.getAvailableUnfreezeCount(from), { count: 31 });
  t.match(await web.trx.getAccount(from), { unfrozenV2: [{ unfreeze_amount: 500 * TRX }] });
  await send(await transactionBuilder.cancelUnfreezeBalanceV2(from));
  t.match(await web.trx.getAvailableUnfreezeCount(from), { count: 32 });

  const broadcast = async (built: object): Promise<unknown> => refusal(web, await web.trx.sign(built as never));
  t.match(await broadcast(await transactionBuilder.undelegateResource(300 * TRX, to, 'BANDWIDTH', from)), {
    code: 'CONTRACT_VALIDATE_ERROR',
    text: /insufficient delegatedFrozenBalance\(BANDWIDTH\)/,
  });
  t.match(await broadcast(await transactionBuilder.vote({ [WITNESS]: 4_000_000 }, from)), {
    text: /^Contract validate error : The total number of votes\[\d+\] is greater than the tronPower\[\d+\]$/,
  });
}

async function permissions(t: Test, { web, owner, receiver, send }: Session): Promise<void> {
  const key = { address: web.address.toHex(owner.address), weight: 1 };
  const second = { address: web.address.toHex(receiver.address), weight: 1 };
  const built = await web.transactionBuilder.updateAccountPermissions(
    web.address.toHex(owner.address),
    { type: 0, permission_name: 'owner', threshold: 1, keys: [key] } as never,
    null,
    [
      {
        type: 2,
        permission_name: 'both',
        threshold: 2,
        // Also allows contract types that a permission may allow only after a proposal: clearing of ABIs, brokerage,
        // stake 2.0.
        operations: '7fff1fc0033ec307000000000000000000000000000000000000000000000000',
        keys: [key, second],
      },
    ] as never,
  );
  await send(built);
  const transfer = await web.transactionBuilder.sendTrx(receiver.address, TRX, owner.address, { permissionId: 2 });
  const once = await web.trx.multiSign(transfer, owner.privateKey, 2);
  t.match(await web.trx.getSignWeight(once), { current_weight: 1, result: { code: 'NOT_ENOUGH_PERMISSION' } });
  const twice = await web.trx.multiSign(once, receiver.privateKey, 2);
  t.equal((await web.trx.getApprovedList(twice)).approved_list.length, 2);
  t.match(await web.trx.sendRawTransaction(twice), { result: true });
}
