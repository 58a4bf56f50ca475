import { TronError } from '../../log/domain/errors.js';
/** Something that no repetition mends: the sink stops until a person has done what the message says. */
export class SinkRefusal extends TronError {
    constructor(message, options) {
        super('SINK_REFUSED', message, options);
    }
}
//# sourceMappingURL=sink.js.map