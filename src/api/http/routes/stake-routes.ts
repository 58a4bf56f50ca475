import {
  BytesMessage,
  CanDelegatedMaxSizeRequestMessage,
  CanWithdrawUnfreezeAmountRequestMessage,
  DelegatedResourceMessage,
  GetAvailableUnfreezeCountRequestMessage,
} from '../../../codec/generated/messages.js';
import { addressOfText } from '../../../encoding/address-text.js';
import { textOf } from '../../../encoding/json/json-casts.js';
import { nullPointer } from '../../../java-compat/java-error.js';
import { parseInt32, parseLong } from '../../../java-compat/number.js';
import { EMPTY_BYTES, toHex } from '../../../primitives/bytes.js';
import type { stakeEndpoints } from '../../endpoints/stake-endpoints.js';
import {
  availableUnfreezeCount,
  delegableMaxSize,
  delegatedResource,
  delegatedResourceV2,
  delegationIndex,
  withdrawableAmount,
} from '../../operations/delegations.js';
import { addressParameter, numberOrZero } from '../get-arguments.js';
import type { HttpCall } from '../http-call.js';
import { both, type HandlersOf, type Posted, parsedBody, readPosted } from '../route.js';

const pairArguments = {
  get: (call: HttpCall, visible: boolean) => {
    const from = addressParameter(call, 'fromAddress', visible);
    return { from, to: addressParameter(call, 'toAddress', visible) };
  },
  post: (call: HttpCall, body: Posted) => {
    const { fromAddress, toAddress } = readPosted(call, body, DelegatedResourceMessage);
    return { from: fromAddress, to: toAddress };
  },
};

const valueArguments = {
  get: (call: HttpCall, visible: boolean) => addressParameter(call, 'value', visible),
  post: readAddressValue,
};

/**
 * Reads the member `value` of a body. With `visible`, first converts the Base58Check text of `value` to hex. Reference:
 * GetDelegatedResourceAccountIndexServlet, GetContractServlet.
 * @throws {JavaError} the body or the value is malformed
 */
export function readAddressValue(call: HttpCall, body: Posted): Uint8Array {
  let { text } = body;
  if (body.visible) {
    const object = parsedBody(body);
    if (object === null) throw nullPointer();
    const value = textOf(object, 'value');
    object.set('value', value === null ? null : toHex(addressOfText(value, call.api.settings) ?? EMPTY_BYTES));
    text = call.show(object);
  }
  return readPosted(call, { text, visible: body.visible }, BytesMessage).value;
}

/** HTTP handlers for stake and delegated stake. */
export const stakeHandlers: HandlersOf<typeof stakeEndpoints> = {
  GetDelegatedResource: both({
    ...pairArguments,
    run: (call, { from, to }, visible) => call.showMessage(delegatedResource(call.view, from, to), visible),
  }),
  GetDelegatedResourceV2: both({
    ...pairArguments,
    run: (call, { from, to }, visible) => call.showMessage(delegatedResourceV2(call.view, from, to), visible),
  }),
  GetDelegatedResourceAccountIndex: both({
    ...valueArguments,
    run: (call, address, visible) => call.showMessage(delegationIndex(call.view, 'v1', address), visible),
  }),
  GetDelegatedResourceAccountIndexV2: both({
    ...valueArguments,
    run: (call, address, visible) => call.showMessage(delegationIndex(call.view, 'v2', address), visible),
  }),
  GetCanDelegatedMaxSize: both({
    get: (call, visible) => {
      const type = numberOrZero(call, 'type', parseInt32, 0);
      return { type, ownerAddress: addressParameter(call, 'owner_address', visible) };
    },
    post: (call, body) => readPosted(call, body, CanDelegatedMaxSizeRequestMessage),
    run: (call, { type, ownerAddress }, visible) =>
      call.showMessage(delegableMaxSize(call.view, ownerAddress, type), visible),
  }),
  GetAvailableUnfreezeCount: both({
    get: (call, visible) => {
      const usesSnakeCase = call.api.settings.release.takesOwnerAddress && call.parameter('ownerAddress') === null;
      return addressParameter(call, usesSnakeCase ? 'owner_address' : 'ownerAddress', visible);
    },
    post: (call, body) => readPosted(call, body, GetAvailableUnfreezeCountRequestMessage).ownerAddress,
    run: (call, owner, visible) => call.showMessage(availableUnfreezeCount(call.view, owner), visible),
  }),
  GetCanWithdrawUnfreezeAmount: both({
    get: (call, visible) => {
      const timestamp = numberOrZero(call, 'timestamp', parseLong, 0n);
      return { timestamp, ownerAddress: addressParameter(call, 'owner_address', visible) };
    },
    post: (call, body) => readPosted(call, body, CanWithdrawUnfreezeAmountRequestMessage),
    run: (call, { timestamp, ownerAddress }, visible) =>
      call.showMessage(withdrawableAmount(call.view, ownerAddress, timestamp), visible),
  }),
};
