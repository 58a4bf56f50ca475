import { ReturnResponse_code as Code, Return, Transaction } from '../../log/codec/generated/messages.js';
import { toHex, utf8 } from '../../log/domain/bytes.js';
/** ms that the node has to answer in; what became of the transaction is not known after that. */
const ANSWER_MS = 10_000;
/** Transactions on their way at once: more would only wait here instead of with the caller. */
const UNDER_WAY_MAX = 256;
/** @param submit URL of the node's HTTP port; without one every transaction is refused */
export function createRelay(submit) {
    if (submit === undefined) {
        const text = 'No connection: this is a read replica, which passes no transaction on (tronicle.source.submit, --submit).';
        return async () => refusal('NO_CONNECTION', text);
    }
    let underWay = 0;
    return async (transaction) => {
        if (underWay >= UNDER_WAY_MAX)
            return refusal('SERVER_BUSY', 'Server busy.');
        underWay++;
        try {
            return await ask(submit, transaction);
        }
        finally {
            underWay--;
        }
    };
}
async function ask(submit, transaction) {
    try {
        const reply = await fetch(`${submit.replace(/\/+$/, '')}/wallet/broadcasthex`, {
            method: 'POST',
            body: JSON.stringify({ transaction: toHex(Transaction.encode(transaction)) }),
            signal: AbortSignal.timeout(ANSWER_MS),
        });
        return toReturn(await reply.json(), reply.status);
    }
    catch (error) {
        const { name, cause } = error;
        if (name === 'TimeoutError')
            return refusal('OTHER_ERROR', `The node at ${submit} has not answered within ${ANSWER_MS / 1000} s; it may have taken it.`);
        const reason = cause instanceof Error ? cause.message : error.message;
        return refusal('NO_CONNECTION', `No connection: the node at ${submit} does not answer (${reason}).`);
    }
}
/** Reference: BroadcastHexServlet; its errors have one member `Error`. */
function toReturn(answer, status) {
    const { result, code, message, Error: error } = (answer ?? {});
    if (!isCode(code))
        return refusal('OTHER_ERROR', typeof error === 'string' ? error : `The node answers with status ${status}.`);
    return Object.assign(new Return(), {
        result: result === true,
        code: Code[code],
        message: utf8(typeof message === 'string' ? message : ''),
    });
}
function isCode(name) {
    return typeof name === 'string' && Object.hasOwn(Code, name);
}
function refusal(code, text) {
    return Object.assign(new Return(), { code: Code[code], message: utf8(text) });
}
//# sourceMappingURL=relay.js.map