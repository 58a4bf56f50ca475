import { Witness, type WitnessCreateContract } from '../../../codec/generated/messages.js';
import { toJavaText } from '../../../java-compat/text.js';
import { isAddress, toAddress } from '../../../primitives/address.js';
import { adjustBalance, burn } from '../../balances/balances.js';
import { refuse } from '../../errors.js';
import { addDefaultWitnessPermission } from '../../state/permissions.js';
import type { State } from '../../state/state.js';
import { isUrl } from '../byte-rules.js';
import type { ContractHandler } from '../contract-handler.js';
import { failWhenShort } from '../overflow.js';

/** Registers the owner as a witness candidate. Reference: WitnessCreateActuator. */
export const witnessCreate: ContractHandler<WitnessCreateContract> = {
  fee: (state) => state.properties.get('ACCOUNT_UPGRADE_COST'),
  validate,
  execute,
};

function validate({ ownerAddress, url }: WitnessCreateContract, state: State): void {
  if (!isAddress(ownerAddress, state.rules.addressPrefix)) refuse('Invalid address');
  if (!isUrl(url)) refuse('Invalid url');
  const owner = toAddress(ownerAddress);
  const account = state.account(owner) ?? refuse(`account[${owner}] not exists`);
  if (state.witnesses.has(owner)) refuse(`Witness[${owner}] has existed`);
  if (account.balance < state.properties.get('ACCOUNT_UPGRADE_COST')) refuse('balance < AccountUpgradeCost');
}

function execute({ ownerAddress, url }: WitnessCreateContract, state: State): void {
  const owner = toAddress(ownerAddress);
  const cost = state.properties.get('ACCOUNT_UPGRADE_COST');
  const witness = Object.assign(new Witness(), { address: ownerAddress, url: toJavaText(url) });
  state.witnesses.put(owner, witness);
  const account = state.existingAccountToWrite(owner);
  account.isWitness = true;
  if (state.properties.isOn('ALLOW_MULTI_SIGN')) addDefaultWitnessPermission(account, state);
  failWhenShort(() => {
    adjustBalance(state, owner, -cost);
    burn(state, cost);
  });
  state.properties.add('TOTAL_CREATE_WITNESS_FEE', cost);
}
