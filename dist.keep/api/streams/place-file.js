import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../../log/domain/replace-file.js';
import { SinkRefusal } from './sink.js';
/** Where the node remembers how far a sink has come. */
export function placeFileOf(dataDir, name) {
    return join(dataDir, 'streams', `${encodeURIComponent(name)}.json`);
}
/** Names of the sinks of a data folder that have a place, whether they are still configured or not. */
export function sinksWithPlace(dataDir) {
    const folder = join(dataDir, 'streams');
    if (!existsSync(folder))
        return [];
    const files = readdirSync(folder, { withFileTypes: true }).filter((file) => file.isFile() && file.name.endsWith('.json'));
    return files.map(({ name }) => decodeURIComponent(name.slice(0, -'.json'.length)));
}
/** A {@link StoredPlace} in a file that is either the old one or the new one, whenever the process is killed. */
export class PlaceFile {
    path;
    constructor(path) {
        this.path = path;
    }
    /** @throws {SinkRefusal} a file that this class did not write */
    read() {
        if (!existsSync(this.path))
            return undefined;
        try {
            const { seq, number, id, bytes } = JSON.parse(readFileSync(this.path, 'utf8'));
            if (Number.isSafeInteger(seq) && Number.isSafeInteger(number) && /^[0-9a-f]{64}$/.test(id)) {
                return { seq, number, id, ...(bytes !== undefined && { bytes }) };
            }
        }
        catch (cause) {
            throw this.damaged(cause);
        }
        throw this.damaged(undefined);
    }
    write({ seq, number, id, bytes }) {
        replaceFile(this.path, `${JSON.stringify({ seq, number, id, bytes })}\n`);
    }
    damaged(cause) {
        return new SinkRefusal(`${this.path} does not hold the place of a sink: delete it to let the sink go on from what has arrived there`, { cause });
    }
}
//# sourceMappingURL=place-file.js.map