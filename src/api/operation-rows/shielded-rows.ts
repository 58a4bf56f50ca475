import { serverNames } from '../servers.js';
import type { OperationRow } from './operation-row.js';

/** What parameters of a shielded contract are made of, beside the key that spends. */
const PARAMETERS = {
  nsk: 'bytes',
  ovk: 'bytes',
  from_amount: 'text',
  shielded_spends: 'object[]',
  shielded_receives: 'object[]',
  transparent_to_address: 'address',
  to_amount: 'text',
  shielded_TRC20_contract_address: 'address',
} as const;

/** Keys and notes of shielded contracts. */
export const shieldedRows = {
  GetSpendingKey: { name: 'getspendingkey', servers: ['fullnode'], reads: {}, prints: 'BytesMessage' },
  GetDiversifier: { name: 'getdiversifier', servers: ['fullnode'], reads: {}, prints: 'DiversifierMessage' },
  GetNewShieldedAddress: {
    name: 'getnewshieldedaddress',
    servers: ['fullnode'],
    reads: {},
    prints: 'ShieldedAddressInfo',
  },
  GetRcm: { name: 'getrcm', servers: ['fullnode'], reads: {}, prints: 'BytesMessage' },
  GetExpandedSpendingKey: {
    name: 'getexpandedspendingkey',
    servers: ['fullnode'],
    reads: { value: 'bytes' },
    prints: 'ExpandedSpendingKeyMessage',
  },
  GetAkFromAsk: { name: 'getakfromask', servers: ['fullnode'], reads: { value: 'bytes' }, prints: 'BytesMessage' },
  GetNkFromNsk: { name: 'getnkfromnsk', servers: ['fullnode'], reads: { value: 'bytes' }, prints: 'BytesMessage' },
  GetIncomingViewingKey: {
    name: 'getincomingviewingkey',
    servers: ['fullnode'],
    reads: { ak: 'hex!', nk: 'hex!' },
    prints: 'IncomingViewingKeyMessage',
  },
  GetZenPaymentAddress: {
    name: 'getzenpaymentaddress',
    servers: ['fullnode'],
    ignoresForms: true,
    reads: { ivk: 'hex!', d: 'hex!' },
    prints: 'PaymentAddressMessage',
  },
  CreateSpendAuthSig: {
    name: 'createspendauthsig',
    servers: ['fullnode'],
    reads: { ask: 'bytes', tx_hash: 'bytes', alpha: 'bytes' },
    prints: 'BytesMessage',
  },
  CreateShieldedContractParameters: {
    name: 'createshieldedcontractparameters',
    servers: ['fullnode'],
    ignoresForms: true,
    reads: {
      ask: 'bytes',
      ...PARAMETERS,
    },
    prints: 'ShieldedTRC20Parameters',
  },
  CreateShieldedContractParametersWithoutAsk: {
    name: 'createshieldedcontractparameterswithoutask',
    servers: ['fullnode'],
    reads: {
      ak: 'bytes',
      ...PARAMETERS,
    },
    prints: 'ShieldedTRC20Parameters',
  },
  GetTriggerInputForShieldedTRC20Contract: {
    name: 'gettriggerinputforshieldedtrc20contract',
    servers: ['fullnode'],
    reads: {
      shielded_TRC20_Parameters: 'object',
      spend_authority_signature: 'object[]',
      amount: 'text',
      transparent_to_address: 'address',
    },
    prints: 'BytesMessage',
  },
  IsShieldedTRC20ContractNoteSpent: {
    name: 'isshieldedtrc20contractnotespent',
    servers: serverNames,
    reads: { note: 'object', ak: 'bytes', nk: 'bytes', position: 'int64', shielded_TRC20_contract_address: 'address' },
    prints: 'NullifierResult',
  },
  ScanShieldedTRC20NotesByIvk: {
    name: 'scanshieldedtrc20notesbyivk',
    servers: serverNames,
    reads: {
      start_block_index: 'int64',
      end_block_index: 'int64',
      shielded_TRC20_contract_address: 'address',
      ivk: 'bytes',
      ak: 'bytes',
      nk: 'bytes',
      events: 'text[]',
    },
    prints: 'DecryptNotesTRC20',
  },
  ScanShieldedTRC20NotesByOvk: {
    name: 'scanshieldedtrc20notesbyovk',
    servers: serverNames,
    reads: {
      start_block_index: 'int64',
      end_block_index: 'int64',
      ovk: 'bytes',
      shielded_TRC20_contract_address: 'address',
      events: 'text[]',
    },
    prints: 'DecryptNotesTRC20',
  },
  ScanNoteByIvk: {
    name: 'scannotebyivk',
    servers: ['pbft'],
    reads: { start_block_index: 'int64', end_block_index: 'int64', ivk: 'bytes' },
    prints: 'DecryptNotes',
  },
  ScanNoteByOvk: {
    name: 'scannotebyovk',
    servers: ['pbft'],
    reads: { start_block_index: 'int64', end_block_index: 'int64', ovk: 'bytes' },
    prints: 'DecryptNotes',
  },
  ScanAndMarkNoteByIvk: {
    name: 'scanandmarknotebyivk',
    servers: ['pbft'],
    reads: { start_block_index: 'int64', end_block_index: 'int64', ivk: 'bytes', ak: 'bytes', nk: 'bytes' },
    prints: 'DecryptNotesMarked',
  },
  IsSpend: {
    name: 'isspend',
    servers: ['pbft'],
    reads: { ak: 'bytes', nk: 'bytes', note: 'object', txid: 'bytes', index: 'int32' },
    prints: 'SpendResult',
  },
  GetMerkleTreeVoucherInfo: {
    name: 'getmerkletreevoucherinfo',
    servers: ['pbft'],
    reads: { out_points: 'object[]', block_num: 'int32' },
    prints: 'IncrementalMerkleVoucherInfo',
  },
} as const satisfies Readonly<Record<string, OperationRow>>;
