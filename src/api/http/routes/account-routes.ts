import { Account, AccountBalanceRequest, BlockBalanceTraceBlockIdentifier } from '../../../codec/generated/messages.js';
import { type AddressForm, addressOfText } from '../../../encoding/address-text.js';
import { int64Text } from '../../../encoding/json/int64-form.js';
import { textOf } from '../../../encoding/json/json-casts.js';
import { jsonObject } from '../../../encoding/json/json-value.js';
import { parseJsonObject } from '../../../encoding/json/parse-json.js';
import { messageToJson } from '../../../encoding/json/print-message.js';
import { bytesOfHex, decodeHex } from '../../../java-compat/hex.js';
import { illegalArgument, nullPointer } from '../../../java-compat/java-error.js';
import { isBlank } from '../../../java-compat/text.js';
import { isAddress, toAddress } from '../../../primitives/address.js';
import { fromHex, toUtf8 } from '../../../primitives/bytes.js';
import { javaError } from '../../../state-transition/java-errors.js';
import { brokerageOf, queryReward } from '../../../state-transition/rewards/rewards.js';
import type { accountEndpoints } from '../../endpoints/account-endpoints.js';
import {
  account,
  accountBalance,
  accountById,
  accountNet,
  accountResource,
  blockBalance,
} from '../../operations/accounts.js';
import { addressOrHex, addressParameter } from '../get-arguments.js';
import type { HttpCall } from '../http-call.js';
import {
  both,
  type Handler,
  type HandlersOf,
  parsedBody,
  posted,
  type RouteAnswer,
  readPosted,
  silent,
} from '../route.js';

/** HTTP handlers for accounts, their resources and rewards. */
export const accountHandlers: HandlersOf<typeof accountEndpoints> = {
  GetAccount: both({
    get: (call, visible) => accountMember(call, 'address', visible).address,
    post: (call, body) => readPosted(call, body, Account).address,
    run: (call, address, visible) => printAccount(call, account(call.view, address), visible),
  }),
  GetAccountById: both({
    get: (call, visible) => accountMember(call, 'account_id', visible).accountId,
    post: (call, body) => readPosted(call, body, Account).accountId,
    run: (call, id, visible) => printAccount(call, accountById(call.view, id), visible),
  }),
  GetAccountNet: both({
    get: (call, visible) => addressParameter(call, 'address', visible),
    post: (call, body) => readPosted(call, body, Account).address,
    run: (call, address, visible) => call.showMessage(accountNet(call.view, address), visible),
  }),
  GetAccountResource: both({
    get: (call, visible) => addressParameter(call, 'address', visible),
    post: (call, body) => addressOrHex(call, textOf(parsedBody(body), 'address'), body.visible),
    run: (call, address, visible) => call.showMessage(accountResource(call.view, address), visible),
  }),
  GetAccountBalance: {
    post: (call) => {
      const body = posted(call);
      return call.showMessage(accountBalance(call.view, readPosted(call, body, AccountBalanceRequest)), body.visible);
    },
  },
  GetBlockBalance: {
    post: (call) => {
      const body = posted(call);
      const request = readPosted(call, body, BlockBalanceTraceBlockIdentifier);
      return call.showMessage(blockBalance(call.view, request), body.visible);
    },
  },
  GetReward: rewardHandler((call, address) => {
    const reward = address === undefined ? 0n : queryReward(call.view.state, toAddress(address));
    return `{"reward": ${int64Text(reward)}}`;
  }),
  GetBrokerage: rewardHandler((call, address) => {
    const { state } = call.view;
    const cycle = state.properties.get('CURRENT_CYCLE_NUMBER');
    return `{"brokerage": ${address === undefined ? 0n : brokerageOf(state, toAddress(address), cycle)}}`;
  }),
  ValidateAddress: {
    get: silent((call) => {
      const text = call.parameter('address');
      return validateAddress(call, text);
    }),
    post: silent((call) => validateAddress(call, textOf(parseJsonObject(call.body(), call.json), 'address'))),
  },
};

/** Reads a query parameter as if it were a member of a JSON body. */
function accountMember(call: HttpCall, name: string, visible: boolean): Account {
  const text = call.show(jsonObject({ [name]: call.parameter(name) }));
  return readPosted(call, { text, visible }, Account);
}

/**
 * Returns an account as JSON text. Without `visible`, the member `asset_issued_ID` is plain text, although all other
 * bytes are hex. Reference: Util.printAccount, convertOutput.
 */
function printAccount(call: HttpCall, found: Account | undefined, visible: boolean): string {
  if (found === undefined || visible || found.assetIssuedID.length === 0) return call.showMessage(found, visible);
  const object = messageToJson(found, false, call.json);
  object.set('asset_issued_ID', toUtf8(fromHex(object.get('asset_issued_ID') as string)));
  return call.show(object);
}

/**
 * Creates a handler that reads the address from query, form or body. Some of its failures have an error format that is
 * used nowhere else.
 */
function rewardHandler(run: (call: HttpCall, address: Uint8Array | undefined) => string): Handler {
  const answer: RouteAnswer = (call) => {
    try {
      return run(call, addressOfRequest(call));
    } catch (error) {
      const found = javaError(error);
      const isShown = found !== undefined && INVALID.has(found.javaClass);
      if (!isShown) throw error;
      return `{"Error": "INVALID address, ${found.text}"}`;
    }
  };
  return { get: answer, post: answer };
}

/** Exception classes for which the response says that the address is invalid. Reference: GetRewardServlet. */
const INVALID = new Set([
  'org.bouncycastle.util.encoders.DecoderException',
  'java.lang.IllegalArgumentException',
  'java.lang.NumberFormatException',
]);

/** Returns the address parameter of the query. If it is missing or blank, returns the address in the body. */
function anyAddressText(call: HttpCall): string | null {
  const text = call.parameter('address');
  return text === null || isBlank(text) ? (addressIn(call, call.body()) ?? text) : text;
}

/**
 * Returns the address text from the query, the form or the body. For a POST request, the Content-Type determines the
 * source. Reference: Util.checkGetParam.
 */
function addressTextByType(call: HttpCall): string | null {
  if (call.method !== 'POST' || call.isForm) return call.parameter('address');
  return call.hasType ? addressIn(call, call.bodyLines()) : null;
}

function addressIn(call: HttpCall, body: string): string | null {
  const object = parseJsonObject(body, call.json);
  return object === null ? null : textOf(object, 'address');
}

/** Decodes the address of a request. Reference: Util.getAddress. */
function addressOfRequest(call: HttpCall): Uint8Array | undefined {
  const text = call.api.settings.release.addressByType ? addressTextByType(call) : anyAddressText(call);
  if (text === null || isBlank(text)) return undefined;
  const { addressPrefix } = call.api.settings;
  return text.startsWith(addressPrefix.toString(16)) ? decodeHex(text) : addressOfText(text, call.api.settings);
}

/** Checks an address. The response describes the result. Reference: ValidateAddressServlet. */
function validateAddress(call: HttpCall, text: string | null): string {
  let result = false;
  let message: string | null;
  try {
    if (text === null) throw nullPointer();
    const form = addressForms[text.length];
    const { addressPrefix } = call.api.settings;
    message = form?.message ?? 'Length error';
    if (form !== undefined) {
      const bytes = form.read(text, call.api.settings);
      result = bytes !== undefined && isAddress(bytes, addressPrefix);
      if (!result) message = 'Invalid address';
    }
  } catch (error) {
    const found = javaError(error);
    if (found === undefined) throw error;
    message = found.text;
  }
  return call.show(jsonObject({ result, message }));
}

interface TextForm {
  readonly message: string;
  read(text: string, form: AddressForm): Uint8Array | undefined;
}

/** Format of an address text, by the number of its characters. */
const addressForms: Readonly<Record<number, TextForm | undefined>> = {
  42: { message: 'Hex string format', read: (text) => bytesOfHex(text) },
  34: { message: 'Base58check format', read: (text, form) => addressOfText(text, form) },
  28: { message: 'Base64 format', read: (text) => decodeBase64(text) },
};

/** Decodes Base64. @throws {JavaError} IllegalArgumentException: the text is malformed */
function decodeBase64(text: string): Uint8Array {
  const odd = /[^A-Za-z0-9+/=]/.exec(text);
  if (odd !== null) throw illegalArgument(`Illegal base64 character ${text.charCodeAt(odd.index).toString(16)}`);
  return Buffer.from(text, 'base64');
}
