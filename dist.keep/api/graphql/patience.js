import { graphqlError } from './graphql-errors.js';
/** How long a client may take for one event. Until then nothing is lost: the next event waits in the log, not in memory. */
export const STALL_MS = 10_000;
/** How much longer its connection stays open, so that it can still read why its subscription ended. */
export const GIVE_UP_MS = 30_000;
/**
 * Ends a subscription whose client does not take an event in time. The server asks for the next event once the last one is in the
 * client's socket, so the time between the two is the time that the client took.
 */
export class PatientStream {
    options;
    timer;
    isTooSlow = false;
    isOver = false;
    constructor(options) {
        this.options = options;
    }
    /** @throws {GraphQLError} SUBSCRIBER_TOO_SLOW with the cursor to go on from */
    async next() {
        clearTimeout(this.timer);
        const { stream, patience, giveUp } = this.options;
        if (this.isTooSlow) {
            await this.end();
            throw graphqlError('SUBSCRIBER_TOO_SLOW', `an event was not taken within ${patience.stallMs} ms: subscribe again`, {
                cursor: stream.cursor,
            });
        }
        const result = await this.nextOf(stream);
        if (result.done === true) {
            await this.end();
            return result;
        }
        if (this.isOver)
            return { done: true, value: undefined };
        this.timer = setTimeout(() => {
            this.isTooSlow = true;
            this.timer = setTimeout(giveUp, patience.giveUpMs);
        }, patience.stallMs);
        return result;
    }
    async return() {
        await this.end();
        return { done: true, value: undefined };
    }
    async throw() {
        return this.return();
    }
    [Symbol.asyncIterator]() {
        return this;
    }
    async nextOf(stream) {
        try {
            return await stream.next();
        }
        catch (error) {
            await this.end();
            throw error;
        }
    }
    async end() {
        clearTimeout(this.timer);
        if (this.isOver)
            return;
        this.isOver = true;
        this.options.onEnd();
        await this.options.stream.return();
    }
}
//# sourceMappingURL=patience.js.map