import {
  BytesMessage,
  CanDelegatedMaxSizeRequestMessage,
  CanWithdrawUnfreezeAmountRequestMessage,
  DelegatedResourceMessage,
  GetAvailableUnfreezeCountRequestMessage,
} from '../../../codec/generated/messages.js';
import { addressOfText } from '../../../encoding/address-text.js';
import { textOf } from '../../../encoding/json/json-casts.js';
import { printMessage } from '../../../encoding/json/print-message.js';
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
    run: (call, { from, to }, visible) => printMessage(delegatedResource(call.view, from, to), visible, call.json),
  }),
  GetDelegatedResourceV2: both({
    ...pairArguments,
    run: (call, { from, to }, visible) => printMessage(delegatedResourceV2(call.view, from, to), visible, call.json),
  }),
  GetDelegatedResourceAccountIndex: both({
    ...valueArguments,
    run: (call, address, visible) => printMessage(delegationIndex(call.view, 'v1', address), visible, call.json),
  }),
  GetDelegatedResourceAccountIndexV2: both({
    ...valueArguments,
    run: (call, address, visible) => printMessage(delegationIndex(call.view, 'v2', address), visible, call.json),
  }),
  GetCanDelegatedMaxSize: both({
    get: (call, visible) => {
      const type = numberOrZero(call, 'type', parseInt32, 0);
      return { type, ownerAddress: addressParameter(call, 'owner_address', visible) };
    },
    post: (call, body) => readPosted(call, body, CanDelegatedMaxSizeRequestMessage),
    run: (call, { type, ownerAddress }, visible) =>
      printMessage(delegableMaxSize(call.view, ownerAddress, type), visible, call.json),
  }),
  GetAvailableUnfreezeCount: both({
    get: (call, visible) => {
      const usesSnakeCase = call.api.settings.release.takesOwnerAddress && call.parameter('ownerAddress') === null;
      return addressParameter(call, usesSnakeCase ? 'owner_address' : 'ownerAddress', visible);
    },
    post: (call, body) => readPosted(call, body, GetAvailableUnfreezeCountRequestMessage).ownerAddress,
    run: (call, owner, visible) => printMessage(availableUnfreezeCount(call.view, owner), visible, call.json),
  }),
  GetCanWithdrawUnfreezeAmount: both({
    get: (call, visible) => {
      const timestamp = numberOrZero(call, 'timestamp', parseLong, 0n);
      return { timestamp, ownerAddress: addressParameter(call, 'owner_address', visible) };
    },
    post: (call, body) => readPosted(call, body, CanWithdrawUnfreezeAmountRequestMessage),
    run: (call, { timestamp, ownerAddress }, visible) =>
      printMessage(withdrawableAmount(call.view, ownerAddress, timestamp), visible, call.json),
  }),
};
