import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMPT } from '@ethereumjs/mpt';
import secp256k1 from 'secp256k1';
import t from 'tap';
import {
  Account,
  Any,
  Block,
  Transaction,
  TransactionContract,
  TransactionContractContractType,
  TransactionRaw,
  TransferContract,
} from '../../../src/codec/generated/messages.js';
import { decodeBase58Check } from '../../../src/crypto/base58-check.js';
import { fromHex, toHex } from '../../../src/primitives/bytes.js';
import { rlpText } from '../../../src/state-transition/account-trie/rlp.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { golden, runTronicle, startDrive } from '../../support/tronicle.js';

// Proposal 25 is in force from genesis. Reference: AccountStateCallBack, Manager.processBlock, Manager.generateBlock.

const chain = join(golden, 'stake');
const keys = Object.entries(JSON.parse(readFileSync(join(chain, 'keys.json'), 'utf8')) as Record<string, string>);
const RICH = ['TV7LfJXWNnwC9N3xjyqy4Wd6MnFdgYyR9S', 'TWgwpH7qWs9syhr4iuUyxMKb8sQXfYcdEJ'] as const;
const NEW_ACCOUNT = fromHex(`41${'5a'.repeat(20)}`);

type Drive = Awaited<ReturnType<typeof startDrive>>;

function sha256(bytes: Uint8Array): Uint8Array {
  return createHash('sha256').update(bytes).digest();
}

function addressOf(text: string): Uint8Array {
  return decodeBase58Check(text)!;
}

function transfer(from: string, to: Uint8Array, amount: bigint, headId: string): string {
  const id = fromHex(headId);
  const parameter = TransferContract.encode(
    Object.assign(new TransferContract(), { ownerAddress: addressOf(from), toAddress: to, amount }),
  );
  const contract = Object.assign(new TransactionContract(), {
    type: TransactionContractContractType.TransferContract,
    parameter: Object.assign(new Any(), { typeUrl: 'type.googleapis.com/protocol.TransferContract', value: parameter }),
  });
  const raw = Object.assign(new TransactionRaw(), {
    refBlockBytes: id.subarray(6, 8),
    refBlockHash: id.subarray(8, 16),
    expiration: 1_691_193_600_000n + 3_600_000n,
    contract: [contract],
  });
  const key = fromHex(keys.find(([address]) => address === from)![1]);
  const { signature, recid } = secp256k1.ecdsaSign(sha256(TransactionRaw.encode(raw)), key);
  return toHex(
    Transaction.encode(
      Object.assign(new Transaction(), { rawData: raw, signature: [Buffer.concat([signature, Buffer.of(recid)])] }),
    ),
  );
}

async function start(config: string, data: string): Promise<Drive> {
  const drive = await startDrive(['--config', config, '--data', data]);
  for (const [, key] of keys) await drive.request({ op: 'key', key });
  return drive;
}

t.test('writes into each block the root of the accounts that its transactions stored', async (t) => {
  const config = join(temporaryFolder(t), 'config.conf');
  writeFileSync(config, `${readFileSync(join(chain, 'config.conf'), 'utf8')}\ncommittee.allowAccountStateRoot = 1\n`);
  const data = temporaryFolder(t);
  const maker = await start(config, temporaryFolder(t));
  const follower = await start(config, data);
  const trie = await createMPT();
  let head = String(maker.first['headId']);
  for (let round = 1; round <= 4; round++) {
    for (const from of RICH) {
      const sent = await maker.request({ op: 'tx', hex: transfer(from, NEW_ACCOUNT, BigInt(round), head) });
      t.equal(sent['ok'], true, String(sent['message']));
    }
    const made = await maker.request({ op: 'block' });
    head = String(made['id']);
    const block = Block.decode(fromHex(String(made['block'])));
    const root = toHex(block.blockHeader!.rawData!.accountStateRoot);
    for (const address of [...RICH.map(addressOf), NEW_ACCOUNT]) {
      const row = await maker.request({ op: 'get', store: 'account', key: toHex(address) });
      const { balance, allowance } = Account.decode(fromHex(String(row['value'])));
      const entry = Account.encode(Object.assign(new Account(), { address, balance, allowance }));
      await trie.put(rlpText(address), entry);
    }
    t.equal(root, toHex(trie.root()), `block ${round}`);
    t.type(
      (await maker.request({ op: 'get', store: 'accountTrie', key: root }))['value'],
      'string',
      'the node of the root is stored',
    );
    t.equal((await follower.request({ op: 'push', hex: made['block'] }))['result'], 'ok');
  }

  await maker.request({ op: 'tx', hex: transfer(RICH[0], NEW_ACCOUNT, 9n, head) });
  const { block: hex } = await maker.request({ op: 'block', noPush: true });
  const wrong = Block.decode(fromHex(String(hex)));
  const right = toHex(wrong.blockHeader!.rawData!.accountStateRoot);
  wrong.blockHeader!.rawData!.accountStateRoot = Buffer.alloc(32, 7);
  const refused = await follower.request({ op: 'push', hex: toHex(Block.encode(wrong)) });
  t.equal(refused['error'], 'BadBlockException');
  t.match(refused['message'], /^accountStateRoot hash is error, BlockCapsule \n\[ hash=[0-9a-f]{64}\nnumber=5\n/);
  t.match(
    refused['message'],
    new RegExp(`\\naccount root=${'07'.repeat(32)}\\nmerkle root=[0-9a-f]{64}\\ntxs size=1\\n\\]`),
  );
  t.match(refused['message'], new RegExp(`, oldRoot: ${'07'.repeat(32)}, newRoot: ${right}\\.$`));
  t.equal(refused['head'], 4);

  wrong.blockHeader!.rawData!.accountStateRoot = new Uint8Array(0);
  t.equal(
    (await follower.request({ op: 'push', hex: toHex(Block.encode(wrong)) }))['result'],
    'ok',
    'a block without a root is accepted',
  );
  t.equal(await maker.close(), 0);
  t.equal(await follower.close(), 0);
  const replayed = await runTronicle(['replay', '-c', config, '-d', data]);
  t.equal(replayed.code, 0, replayed.stderr);
});
