import { ReturnResponse_code as Code, Return } from '../../codec/generated/messages.js';
import { toHex, utf8 } from '../../primitives/bytes.js';
import type { DecodedTransaction } from '../../state-transition/transaction.js';

/** Forwards a transaction to a node with a mempool. Returns the response of that node. Never rejects. */
export type Relay = (transaction: DecodedTransaction) => Promise<Return>;

/** Timeout of a response in ms. After a timeout, it is unknown if the transaction was accepted. */
const ANSWER_MS = 10_000;
/**
 * Maximum number of transactions without a response. Further transactions are rejected, because the client can send
 * them again later.
 */
const UNDER_WAY_MAX = 256;

/**
 * Creates a relay.
 * @param submit URL of the HTTP port of a node; undefined to reject every transaction
 */
export function createRelay(submit: string | undefined): Relay {
  if (submit === undefined) {
    const text = 'No connection: this read replica does not relay transactions; set tronicle.source.submit (--submit).';
    return async () => refusal('NO_CONNECTION', text);
  }
  let underWay = 0;
  return async (transaction) => {
    if (underWay >= UNDER_WAY_MAX) return refusal('SERVER_BUSY', 'Server busy.');
    underWay++;
    try {
      return await requestBroadcast(submit, transaction);
    } finally {
      underWay--;
    }
  };
}

async function requestBroadcast(submit: string, { bytes }: DecodedTransaction): Promise<Return> {
  try {
    const reply = await fetch(`${submit.replace(/\/+$/, '')}/wallet/broadcasthex`, {
      method: 'POST',
      body: JSON.stringify({ transaction: toHex(bytes) }),
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    return toReturn(await reply.json(), reply.status);
  } catch (error) {
    const { name, cause } = error as Error;
    if (name === 'TimeoutError')
      return refusal(
        'OTHER_ERROR',
        `The node at ${submit} did not respond within ${ANSWER_MS / 1000} s; it may have accepted the transaction.`,
      );
    const reason = cause instanceof Error ? cause.message : (error as Error).message;
    return refusal('NO_CONNECTION', `No connection: the node at ${submit} does not respond (${reason}).`);
  }
}

/** Decodes the response. An error response has only the member `Error`. Reference: BroadcastHexServlet */
function toReturn(answer: unknown, status: number): Return {
  const { result, code, message, Error: error } = (answer ?? {}) as Readonly<Record<string, unknown>>;
  if (!isCode(code))
    return refusal('OTHER_ERROR', typeof error === 'string' ? error : `The node responds with status ${status}.`);
  return Object.assign(new Return(), {
    result: result === true,
    code: Code[code],
    message: utf8(typeof message === 'string' ? message : ''),
  });
}

function isCode(name: unknown): name is keyof typeof Code {
  return typeof name === 'string' && Object.hasOwn(Code, name);
}

function refusal(code: keyof typeof Code, text: string): Return {
  return Object.assign(new Return(), { code: Code[code], message: utf8(text) });
}
