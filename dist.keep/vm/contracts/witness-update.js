import { WitnessUpdateContract } from '../../log/codec/generated/messages.js';
import { isAddress, toAddress } from '../../log/domain/address.js';
import { refuse } from '../errors.js';
import { isUrl } from './byte-rules.js';
import { toJavaText } from './java-text.js';
/** Changes a witness's URL. Reference: WitnessUpdateActuator. */
export const witnessUpdate = {
    type: 8,
    message: WitnessUpdateContract,
    owner: ({ ownerAddress }) => ownerAddress,
    fee: () => 0n,
    validate,
    execute: ({ ownerAddress, updateUrl }, state) => {
        state.witnesses.toWrite(toAddress(ownerAddress)).url = toJavaText(updateUrl);
    },
};
function validate({ ownerAddress, updateUrl }, state) {
    if (!isAddress(ownerAddress, state.rules.addressPrefix))
        refuse('Invalid address');
    if (!state.accounts.has(toAddress(ownerAddress)))
        refuse('account does not exist');
    if (!isUrl(updateUrl))
        refuse('Invalid url');
    if (!state.witnesses.has(toAddress(ownerAddress)))
        refuse('Witness does not exist');
}
//# sourceMappingURL=witness-update.js.map