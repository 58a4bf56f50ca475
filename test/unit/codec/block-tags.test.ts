import t from 'tap';
import {
  ANY_TAGS,
  BLOCK_TAGS,
  CONTRACT_TAGS,
  INFO_TAGS,
  RAW_TAGS,
  RECEIPT_TAGS,
  RESULTS_TAGS,
  TRANSACTION_TAGS,
} from '../../../src/codec/block-tags.js';
import { type MessageType, tagOf } from '../../../src/codec/descriptor.js';
import {
  Any,
  Block,
  ResourceReceipt,
  Transaction,
  TransactionContract,
  TransactionInfo,
  TransactionRaw,
  TransactionRet,
} from '../../../src/codec/generated/messages.js';

const TAGS: readonly (readonly [MessageType<object>, Readonly<Record<string, number>>])[] = [
  [Block, BLOCK_TAGS],
  [Transaction, TRANSACTION_TAGS],
  [TransactionRaw, RAW_TAGS],
  [TransactionContract, CONTRACT_TAGS],
  [Any, ANY_TAGS],
  [TransactionRet, RESULTS_TAGS],
  [TransactionInfo, INFO_TAGS],
  [ResourceReceipt, RECEIPT_TAGS],
];

for (const [type, tags] of TAGS) {
  t.test(`declares the tags of ${type.$name} as in its schema`, async (t) => {
    for (const [prop, tag] of Object.entries(tags)) {
      const field = type.$fields.find((one) => one.prop === prop);
      t.equal(field && tagOf(field), tag, prop);
    }
  });
}
