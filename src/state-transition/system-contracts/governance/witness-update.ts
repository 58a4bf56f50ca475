import type { WitnessUpdateContract } from '../../../codec/generated/messages.js';
import { toJavaText } from '../../../java-compat/text.js';
import { isAddress, toAddress } from '../../../primitives/address.js';
import { refuse } from '../../errors.js';
import type { State } from '../../state/state.js';
import { isUrl } from '../byte-rules.js';
import type { ContractHandler } from '../contract-handler.js';

/** Changes a witness's URL. Reference: WitnessUpdateActuator. */
export const witnessUpdate: ContractHandler<WitnessUpdateContract> = {
  fee: () => 0n,
  validate,
  execute: ({ ownerAddress, updateUrl }, state) => {
    state.witnesses.existingToWrite(toAddress(ownerAddress)).url = toJavaText(updateUrl);
  },
};

function validate({ ownerAddress, updateUrl }: WitnessUpdateContract, state: State): void {
  if (!isAddress(ownerAddress, state.rules.addressPrefix)) refuse('Invalid address');
  if (!state.accounts.has(toAddress(ownerAddress))) refuse('account does not exist');
  if (!isUrl(updateUrl)) refuse('Invalid url');
  if (!state.witnesses.has(toAddress(ownerAddress))) refuse('Witness does not exist');
}
