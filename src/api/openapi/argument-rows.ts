/**
 * What handlers read and what message they print, by their family: `<name>:<kind>`, with `!` for what must be given. Every handler
 * takes `visible` beside these. Builders of one contract read the fields of its message.
 * Reference: the servlets of org.tron.core.services.http.
 */
export const argumentRows: readonly (readonly [family: string, fields: string, reply: string])[] = [
  ['Broadcast', 'raw_data:object[]! signature:hex[] raw_data_hex:text txID:text', 'Return'],
  ['BroadcastHex', 'transaction:hex!', ''],
  ['CreateCommonTransaction', 'contractType:text! Permission_id:int32', 'Transaction'],
  [
    'CreateShieldedContractParameters',
    'ask:bytes nsk:bytes ovk:bytes from_amount:text shielded_spends:object[] ' +
      'shielded_receives:object[] transparent_to_address:address to_amount:text ' +
      'shielded_TRC20_contract_address:address',
    'ShieldedTRC20Parameters',
  ],
  [
    'CreateShieldedContractParametersWithoutAsk',
    'ak:bytes nsk:bytes ovk:bytes from_amount:text shielded_spends:object[] ' +
      'shielded_receives:object[] transparent_to_address:address to_amount:text ' +
      'shielded_TRC20_contract_address:address',
    'ShieldedTRC20Parameters',
  ],
  ['CreateSpendAuthSig', 'ask:bytes tx_hash:bytes alpha:bytes', 'BytesMessage'],
  [
    'DeployContract',
    'owner_address:address! abi:text bytecode:hex! parameter:hex name:text call_value:int64 ' +
      'consume_user_resource_percent:int64 origin_energy_limit:int64 fee_limit:int64 ' +
      'call_token_value:int64 token_id:int64 Permission_id:int32',
    'Transaction',
  ],
  [
    'EstimateEnergy',
    'owner_address:address! contract_address:address function_selector:text parameter:hex ' +
      'data:hex call_value:int64 call_token_value:int64 token_id:int64',
    'EstimateEnergyMessage',
  ],
  ['GetAccount', 'address:address!', 'Account'],
  ['GetAccountBalance', 'account_identifier:address! block_identifier:object!', 'AccountBalanceResponse'],
  ['GetAccountById', 'account_id:bytes!', 'Account'],
  ['GetAccountNet', 'address:address!', 'AccountNetMessage'],
  ['GetAccountResource', 'address:address!', 'AccountResourceMessage'],
  ['GetAkFromAsk', 'value:bytes', 'BytesMessage'],
  ['GetAssetIssueByAccount', 'address:address!', 'AssetIssueList'],
  ['GetAssetIssueById', 'value:text!', 'AssetIssueContract'],
  ['GetAssetIssueByName', 'value:text!', 'AssetIssueContract'],
  ['GetAssetIssueList', '', 'AssetIssueList'],
  ['GetAssetIssueListByName', 'value:text!', 'AssetIssueList'],
  ['GetAvailableUnfreezeCount', 'owner_address:address', 'GetAvailableUnfreezeCountResponseMessage'],
  ['GetBandwidthPrices', '', ''],
  ['GetBlock', 'id_or_num:text detail:bool', 'Block'],
  ['GetBlockBalance', 'hash:bytes number:int64', 'BlockBalanceTrace'],
  ['GetBlockById', 'value:bytes', 'Block'],
  ['GetBlockByLatestNum', 'num:int64', 'BlockList'],
  ['GetBlockByLimitNext', 'startNum:int64 endNum:int64', 'BlockList'],
  ['GetBlockByNum', 'num:int64', 'Block'],
  ['GetBrokerage', 'address:hex', ''],
  ['GetBurnTrx', '', ''],
  ['GetCanDelegatedMaxSize', 'type:int32 owner_address:address', 'CanDelegatedMaxSizeResponseMessage'],
  ['GetCanWithdrawUnfreezeAmount', 'owner_address:address timestamp:int64', 'CanWithdrawUnfreezeAmountResponseMessage'],
  ['GetChainParameters', '', 'ChainParameters'],
  ['GetContract', 'value:address!', 'SmartContract'],
  ['GetContractInfo', 'value:address!', 'SmartContractDataWrapper'],
  ['GetDelegatedResource', 'fromAddress:address toAddress:address', 'DelegatedResourceList'],
  ['GetDelegatedResourceAccountIndex', 'value:address!', 'DelegatedResourceAccountIndex'],
  ['GetDelegatedResourceAccountIndexV2', 'value:address!', 'DelegatedResourceAccountIndex'],
  ['GetDelegatedResourceV2', 'fromAddress:address toAddress:address', 'DelegatedResourceList'],
  ['GetDiversifier', '', 'DiversifierMessage'],
  ['GetEnergyPrices', '', ''],
  ['GetExchangeById', 'id:int64!', 'Exchange'],
  ['GetExpandedSpendingKey', 'value:bytes', 'ExpandedSpendingKeyMessage'],
  ['GetIncomingViewingKey', 'ak:hex! nk:hex!', 'IncomingViewingKeyMessage'],
  ['GetMarketOrderByAccount', 'value:address!', 'MarketOrderList'],
  ['GetMarketOrderById', 'value:bytes', 'MarketOrder'],
  ['GetMarketOrderListByPair', 'sell_token_id:bytes buy_token_id:bytes', 'MarketOrderList'],
  ['GetMarketPairList', '', 'MarketOrderPairList'],
  ['GetMarketPriceByPair', 'sell_token_id:bytes buy_token_id:bytes', 'MarketPriceList'],
  ['GetMemoFeePrices', '', ''],
  ['GetMerkleTreeVoucherInfo', 'out_points:object[] block_num:int32', 'IncrementalMerkleVoucherInfo'],
  ['GetNewShieldedAddress', '', 'ShieldedAddressInfo'],
  ['GetNextMaintenanceTime', '', 'NumberMessage'],
  ['GetNkFromNsk', 'value:bytes', 'BytesMessage'],
  ['GetNodeInfo', '', ''],
  ['GetNowBlock', '', 'Block'],
  ['GetPaginatedAssetIssueList', 'offset:int64 limit:int64', 'AssetIssueList'],
  ['GetPaginatedExchangeList', 'offset:int64 limit:int64', 'ExchangeList'],
  ['GetPaginatedProposalList', 'offset:int64 limit:int64', 'ProposalList'],
  ['GetPendingSize', '', ''],
  ['GetProposalById', 'id:int64!', 'Proposal'],
  ['GetRcm', '', 'BytesMessage'],
  ['GetReward', 'address:hex', ''],
  ['GetSpendingKey', '', 'BytesMessage'],
  ['GetTransactionApprovedList', 'raw_data:object! signature:hex[]', 'TransactionApprovedList'],
  ['GetTransactionById', 'value:bytes', 'Transaction'],
  ['GetTransactionCountByBlockNum', 'num:int64', ''],
  ['GetTransactionFromPending', 'value:bytes', 'Transaction'],
  ['GetTransactionInfoByBlockNum', 'num:int64', 'TransactionInfoList'],
  ['GetTransactionInfoById', 'value:bytes', 'TransactionInfo'],
  ['GetTransactionListFromPending', '', 'TransactionIdList'],
  ['GetTransactionReceiptById', 'value:bytes', 'TransactionInfo'],
  ['GetTransactionSignWeight', 'raw_data:object! signature:hex[]', 'TransactionSignWeight'],
  [
    'GetTriggerInputForShieldedTRC20Contract',
    'shielded_TRC20_Parameters:object spend_authority_signature:object[] amount:text ' +
      'transparent_to_address:address',
    'BytesMessage',
  ],
  ['GetZenPaymentAddress', 'ivk:hex! d:hex!', 'PaymentAddressMessage'],
  [
    'IsShieldedTRC20ContractNoteSpent',
    'note:object ak:bytes nk:bytes position:int64 shielded_TRC20_contract_address:address',
    'NullifierResult',
  ],
  ['IsSpend', 'ak:bytes nk:bytes note:object txid:bytes index:int32', 'SpendResult'],
  ['ListExchanges', '', 'ExchangeList'],
  ['ListNodes', '', 'NodeList'],
  ['ListProposals', '', 'ProposalList'],
  ['GetPaginatedNowWitnessList', 'offset:int64 limit:int64 visible:bool', 'WitnessList'],
  ['ListWitnesses', '', 'WitnessList'],
  ['Metrics', '', ''],
  [
    'ScanAndMarkNoteByIvk',
    'start_block_index:int64 end_block_index:int64 ivk:bytes ak:bytes nk:bytes',
    'DecryptNotesMarked',
  ],
  ['ScanNoteByIvk', 'start_block_index:int64 end_block_index:int64 ivk:bytes', 'DecryptNotes'],
  ['ScanNoteByOvk', 'start_block_index:int64 end_block_index:int64 ovk:bytes', 'DecryptNotes'],
  [
    'ScanShieldedTRC20NotesByIvk',
    'start_block_index:int64 end_block_index:int64 shielded_TRC20_contract_address:address ' +
      'ivk:bytes ak:bytes nk:bytes events:text[]',
    'DecryptNotesTRC20',
  ],
  [
    'ScanShieldedTRC20NotesByOvk',
    'start_block_index:int64 end_block_index:int64 ovk:bytes ' +
      'shielded_TRC20_contract_address:address events:text[]',
    'DecryptNotesTRC20',
  ],
  ['TotalTransaction', '', 'NumberMessage'],
  [
    'TriggerConstantContract',
    'owner_address:address! contract_address:address function_selector:text parameter:hex ' +
      'data:hex call_value:int64 call_token_value:int64 token_id:int64 Permission_id:int32 ' +
      'extra_data:text',
    'TransactionExtention',
  ],
  [
    'TriggerSmartContract',
    'owner_address:address! contract_address:address! function_selector:text parameter:hex ' +
      'data:hex call_value:int64 call_token_value:int64 token_id:int64 fee_limit:int64 ' +
      'Permission_id:int32',
    'TransactionExtention',
  ],
  ['ValidateAddress', 'address:address!', ''],
];
