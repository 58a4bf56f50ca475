import { contractRows } from '../../state-transition/system-contracts/table.js';

/**
 * Form of a byte field that is not printed as hex if the request has `visible: true`: Base58Check address or UTF-8
 * text. Reference: HttpSelfFormatFieldName.
 */
type VisibleForm = 'address' | 'text';

/** Returns the form of a byte field; undefined for hex. */
export function visibleForm(messageName: string, fieldName: string): VisibleForm | undefined {
  return forms.get(`${messageName}.${fieldName}`);
}

/** Address fields of messages that are not contract parameters. */
const addressFields: readonly (readonly [message: string, fields: string])[] = [
  ['DelegatedResourceMessage', 'fromAddress toAddress'],
  ['TransactionSignWeight', 'approved_list'],
  ['TransactionApprovedList', 'approved_list'],
  ['PrivateParameters', 'transparent_from_address transparent_to_address'],
  ['PrivateParametersWithoutAsk', 'transparent_from_address transparent_to_address'],
  ['PrivateShieldedTRC20Parameters', 'transparent_to_address shielded_TRC20_contract_address'],
  ['PrivateShieldedTRC20ParametersWithoutAsk', 'transparent_to_address shielded_TRC20_contract_address'],
  ['IvkDecryptTRC20Parameters', 'shielded_TRC20_contract_address'],
  ['OvkDecryptTRC20Parameters', 'shielded_TRC20_contract_address'],
  ['NfTRC20Parameters', 'shielded_TRC20_contract_address'],
  ['ShieldedTRC20TriggerContractParameters', 'transparent_to_address'],
  ['DecryptNotesTRC20.NoteTx', 'transparent_to_address'],
  ['CancelDeferredTransactionContract', 'ownerAddress'],
  ['VoteAssetContract', 'owner_address vote_address'],
  ['VoteWitnessContract.Vote', 'vote_address'],
  ['BuyStorageContract', 'owner_address'],
  ['BuyStorageBytesContract', 'owner_address'],
  ['SellStorageContract', 'owner_address'],
  ['CanDelegatedMaxSizeRequestMessage', 'owner_address'],
  ['GetAvailableUnfreezeCountRequestMessage', 'owner_address'],
  ['CanWithdrawUnfreezeAmountRequestMessage', 'owner_address'],
  ['AccountId', 'address'],
  ['Vote', 'vote_address'],
  ['Proposal', 'proposer_address approvals'],
  ['Exchange', 'creator_address'],
  ['Account', 'address'],
  ['Key', 'address'],
  ['DelegatedResource', 'from to'],
  ['Witness', 'address'],
  ['Votes', 'address'],
  ['TransactionInfo.Log', 'address'],
  ['TransactionInfo', 'contract_address'],
  ['DeferredTransaction', 'senderAddress receiverAddress'],
  ['BlockHeader.raw', 'witness_address'],
  ['SmartContract', 'origin_address contract_address'],
  ['InternalTransaction', 'caller_address transferTo_address'],
  ['DelegatedResourceAccountIndex', 'account fromAccounts toAccounts'],
  ['AccountIdentifier', 'address'],
  ['TransactionBalanceTrace.Operation', 'address'],
  ['MarketOrder', 'owner_address'],
];

const textFields: readonly (readonly [message: string, fields: string])[] = [
  ['Return', 'message'],
  ['Address', 'host'],
  ['Note', 'memo'],
  ['AccountUpdateContract', 'account_name'],
  ['SetAccountIdContract', 'account_id'],
  ['TransferAssetContract', 'asset_name'],
  ['WitnessCreateContract', 'url'],
  ['WitnessUpdateContract', 'update_url'],
  ['AssetIssueContract', 'name abbr description url'],
  ['ParticipateAssetIssueContract', 'asset_name'],
  ['UpdateAssetContract', 'description url'],
  ['ExchangeCreateContract', 'first_token_id second_token_id'],
  ['ExchangeInjectContract', 'token_id'],
  ['ExchangeWithdrawContract', 'token_id'],
  ['ExchangeTransactionContract', 'token_id'],
  ['AccountId', 'name'],
  ['Exchange', 'first_token_id second_token_id'],
  ['Account', 'account_name asset_issued_name asset_issued_ID account_id'],
  ['authority', 'permission_name'],
  ['Transaction.Contract', 'ContractName'],
  ['TransactionInfo', 'resMessage'],
  ['MarketSellAssetContract', 'sell_token_id buy_token_id'],
  ['MarketOrder', 'sell_token_id buy_token_id'],
  ['MarketOrderPair', 'sell_token_id buy_token_id'],
  ['MarketPriceList', 'sell_token_id buy_token_id'],
];

const forms = new Map<string, VisibleForm>([
  ...formsOf(addressFields, 'address'),
  ...contractAddresses(),
  ...formsOf(textFields, 'text'),
]);

/** Yields the address fields of contract parameters: all byte fields whose names end with `_address`. */
function* contractAddresses(): Generator<readonly [string, VisibleForm]> {
  for (const { message } of contractRows.values()) {
    for (const { name, kind } of message.$fields)
      if (kind === 'bytes' && name.endsWith('_address')) yield [`${message.$name}.${name}`, 'address'];
  }
}

function* formsOf(rows: typeof addressFields, form: VisibleForm): Generator<readonly [string, VisibleForm]> {
  for (const [message, fields] of rows) {
    for (const field of fields.split(' ')) yield [`protocol.${message}.${field}`, form];
  }
}
